-- Makes a document whole on its own: links lead where they were meant to, nothing waits for a bibliography.

local headers = os.getenv("DOCUMENT_TOOLS_HEADERS")
local styled = os.getenv("DOCUMENT_TOOLS_STYLED") == "yes"

--- typst's style rules cannot tell a header's cells from the first row of a table that has none.
local function Table(tbl)
  for _, row in ipairs(tbl.head.rows) do
    for _, cell in ipairs(row.cells) do
      for _, block in ipairs(cell.contents) do
        if (block.t == "Plain" or block.t == "Para") and #block.content > 0 then
          block.content = { pandoc.Strong(block.content) }
        end
      end
    end
  end
  return tbl
end

local function percent_decoded(text)
  return (text:gsub("%%(%x%x)", function(hex)
    return string.char(tonumber(hex, 16))
  end))
end

--- What remains of a heading or an anchor when only its letters and digits count.
local function letters(text)
  return (pandoc.text.lower(text):gsub("[%c%p%s]", ""))
end

--- Renderers disagree on how a heading becomes an anchor: where no element has a link's anchor, the heading that it spells is meant.
local function relink(document)
  local ids, spelled = {}, {}
  local function note(element)
    if element.identifier ~= "" then
      ids[element.identifier] = true
    end
  end
  document:walk({
    Header = function(header)
      note(header)
      for _, key in ipairs({ letters(pandoc.utils.stringify(header)), letters(header.identifier) }) do
        spelled[key] = spelled[key] or header.identifier
      end
    end,
    Div = note,
    Span = note,
    Figure = note,
    Table = note,
  })
  return document:walk({
    Link = function(link)
      if link.target == "" or link.target == "#" then
        return link.content
      end
      local anchor = link.target:match("^#(.+)$")
      if anchor and not ids[anchor] then
        local decoded = percent_decoded(anchor)
        local target = ids[decoded] and decoded or spelled[letters(decoded)]
        if target and target ~= "" then
          link.target = "#" .. target
          return link
        end
      end
    end,
  })
end

--- Without a bibliography an @name was no citation, and typst would refuse the document.
local function uncite(document)
  if document.meta.bibliography or document.meta.references then
    return document
  end
  return document:walk({
    Cite = function(cite)
      return cite.content
    end,
  })
end

--- Headings that came from HTML have no identifier yet.
local function identify(document)
  local used = {}
  document:walk({
    Header = function(header)
      used[header.identifier] = true
    end,
  })
  return document:walk({
    Header = function(header)
      if header.identifier == "" then
        local id = pandoc.text.lower(pandoc.utils.stringify(header)):gsub("[%c%s]+", "-"):gsub("[!-,/:-@%[-^`{-~]", "")
        if id ~= "" and not used[id] then
          used[id] = true
          header.identifier = id
          return header
        end
      end
    end,
  })
end

--- Puts our headers before the document's own; on the command line they would take its place.
local function add_headers(document)
  local all = pandoc.List()
  for path in headers:gmatch("[^\n]+") do
    local file = assert(io.open(path))
    all:insert(pandoc.MetaBlocks({ pandoc.RawBlock("typst", file:read("a")) }))
    file:close()
  end
  local own = document.meta["header-includes"]
  if own then
    all:extend(pandoc.utils.type(own) == "List" and own or { own })
  end
  document.meta["header-includes"] = #all > 0 and all or nil
  return document
end

function Pandoc(document)
  document = uncite(document)
  if styled then
    document = document:walk({ Table = Table })
  end
  return add_headers(relink(identify(document)))
end
