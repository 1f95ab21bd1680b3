-- Makes a document fit for a PDF by typst: raw HTML becomes what it shows, images become files that typst can read,
-- links inside the document lead where they were meant to.

local media = os.getenv("DOCUMENT_TOOLS_MEDIA")
local headers = os.getenv("DOCUMENT_TOOLS_HEADERS")
local styled = os.getenv("DOCUMENT_TOOLS_STYLED") == "yes"

local function is_html(element)
  return element.format:match("^html") ~= nil
end

local function html_blocks(text)
  return pandoc.read(text, "html").blocks
end

local function attribute(attributes, name)
  local quoted = attributes:match("%f[%w]" .. name .. '%s*=%s*"([^"]*)"')
    or attributes:match("%f[%w]" .. name .. "%s*=%s*'([^']*)'")
  return quoted or attributes:match("%f[%w]" .. name .. "%s*=%s*([^%s>\"']+)")
end

local function is_centered(tag, attributes)
  return tag == "center" or (attribute(attributes, "align") or ""):lower() == "center"
end

local function centered(blocks)
  local result = pandoc.List({ pandoc.RawBlock("typst", "#align(center)[") })
  for _, block in ipairs(blocks) do
    result:insert(block.t == "Plain" and pandoc.Para(block.content) or block)
  end
  result:insert(pandoc.RawBlock("typst", "]"))
  return result
end

local function only_inlines(blocks)
  if #blocks == 1 and (blocks[1].t == "Plain" or blocks[1].t == "Para") then
    return blocks[1].content
  end
end

--- What the blocks between an opening and a closing tag look like.
local function wrap_blocks(tag, attributes, blocks)
  local inlines = only_inlines(blocks)
  local level = tag:match("^h([1-6])$")
  if level and inlines then
    local header = pandoc.Header(tonumber(level), inlines, pandoc.Attr(attribute(attributes, "id") or ""))
    blocks = pandoc.List({ header })
  elseif tag == "summary" and inlines then
    blocks = pandoc.List({ pandoc.Para({ pandoc.Strong(inlines) }) })
  end
  if #blocks > 0 and is_centered(tag, attributes) then
    return centered(blocks)
  end
  return blocks
end

--- Takes the items from `from` to the end off `list`.
local function take_from(list, from)
  local taken = pandoc.List()
  while #list >= from do
    taken:insert(1, list:remove())
  end
  return taken
end

local function find_open(stack, tag)
  for at = #stack, 1, -1 do
    if stack[at].tag == tag then
      return at
    end
  end
end

--- pandoc's Markdown takes an HTML table apart into tags and cells: written out and read as HTML it is one table again.
local function join_tables(blocks)
  local result, table_parts, depth = pandoc.List(), pandoc.List(), 0
  for _, block in ipairs(blocks) do
    local text = block.t == "RawBlock" and is_html(block) and block.text:lower() or ""
    local _, opened = text:gsub("<table[%s>]", "")
    local _, closed = text:gsub("</table%s*>", "")
    if depth == 0 and opened <= closed then
      result:insert(block)
    else
      depth = depth + opened - closed
      table_parts:insert(block)
      if depth == 0 then
        result:extend(html_blocks(pandoc.write(pandoc.Pandoc(table_parts), "html")))
        table_parts = pandoc.List()
      end
    end
  end
  result:extend(table_parts)
  return result
end

local function Blocks(blocks)
  local result, stack = pandoc.List(), {}
  for _, block in ipairs(join_tables(blocks)) do
    if block.t ~= "RawBlock" or not is_html(block) then
      result:insert(block)
    else
      local text = block.text:match("^%s*(.-)%s*$")
      local tag, attributes = text:match("^<(%a%w*)([^<>]*)>$")
      local closing = text:match("^</(%a%w*)%s*>$")
      local at = closing and find_open(stack, closing:lower())
      if at then
        local open = stack[at]
        while #stack >= at do
          table.remove(stack)
        end
        result:extend(wrap_blocks(open.tag, open.attributes, take_from(result, open.from)))
      elseif tag and not attributes:match("/%s*$") and tag:lower() ~= "img" then
        table.insert(stack, { tag = tag:lower(), attributes = attributes, from = #result + 1 })
      elseif not closing then
        local outer, outer_attributes = text:match("^<(%a%w*)([^<>]*)>")
        local inside = html_blocks(text)
        if outer and #inside > 0 and is_centered(outer:lower(), outer_attributes) then
          inside = centered(inside)
        end
        result:extend(inside)
      end
    end
  end
  return result
end

local inline_tags = {
  b = pandoc.Strong,
  strong = pandoc.Strong,
  i = pandoc.Emph,
  em = pandoc.Emph,
  u = pandoc.Underline,
  ins = pandoc.Underline,
  s = pandoc.Strikeout,
  del = pandoc.Strikeout,
  strike = pandoc.Strikeout,
  sub = pandoc.Subscript,
  sup = pandoc.Superscript,
}
for _, tag in ipairs({ "code", "kbd", "samp", "tt" }) do
  inline_tags[tag] = function(inlines)
    return pandoc.Code(pandoc.utils.stringify(inlines))
  end
end

local function wrap_inlines(tag, attributes, inlines)
  if tag == "a" then
    local href = attribute(attributes, "href")
    if href and #inlines > 0 then
      return { pandoc.Link(inlines, href) }
    end
    local name = attribute(attributes, "id") or attribute(attributes, "name")
    return name and { pandoc.Span(inlines, pandoc.Attr(name)) } or inlines
  end
  local make = inline_tags[tag]
  return make and #inlines > 0 and { make(inlines) } or inlines
end

local function void_inlines(tag, text)
  if tag == "br" then
    return { pandoc.LineBreak() }
  elseif tag == "img" then
    local first = html_blocks(text)[1]
    return first and first.content or {}
  end
end

local function Inlines(inlines)
  local result, stack = pandoc.List(), {}
  for _, inline in ipairs(inlines) do
    if inline.t ~= "RawInline" or not is_html(inline) then
      result:insert(inline)
    else
      local tag, attributes = inline.text:match("^<(%a%w*)(.*)>$")
      local closing = inline.text:match("^</(%a%w*)%s*>$")
      local at = closing and find_open(stack, closing:lower())
      local void = tag and void_inlines(tag:lower(), inline.text)
      if at then
        local open = stack[at]
        while #stack >= at do
          table.remove(stack)
        end
        result:extend(wrap_inlines(open.tag, open.attributes, take_from(result, open.from)))
      elseif void then
        result:extend(void)
      elseif tag and not attributes:match("/%s*$") then
        table.insert(stack, { tag = tag:lower(), attributes = attributes, from = #result + 1 })
      end
    end
  end
  return result
end

local function is_remote(source)
  return source:match("^//") or (source:match("^%a[%w+.-]*://") and not source:match("^file:"))
end

local function percent_decoded(text)
  return (text:gsub("%%(%x%x)", function(hex)
    return string.char(tonumber(hex, 16))
  end))
end

local function file_name(source)
  local name = source:match("^data:") and "image" or source:gsub("[?#].*$", ""):match("([^/]+)/*$") or source
  return name
end

--- An image's alternative text, or the words of its file name.
local function description(image)
  if #image.caption > 0 then
    return image.caption
  end
  local words = percent_decoded(file_name(image.src)):gsub("%.%w+$", ""):gsub("[-_%s]+", " ")
  return pandoc.Inlines(words)
end

local extensions = {
  ["image/png"] = "png",
  ["image/jpeg"] = "jpg",
  ["image/gif"] = "gif",
  ["image/webp"] = "webp",
  ["image/svg+xml"] = "svg",
  ["application/pdf"] = "pdf",
}
local files, count = {}, 0

--- The path of a copy of the image that typst can read, or nil (and pandoc's own warning) where there is none.
local function local_copy(image)
  local source = image.src
  if files[source] == nil then
    local filled = pandoc.mediabag.fill(pandoc.Pandoc({ pandoc.Plain({ image }) }))
    local found = filled.blocks[1].content[1]
    local mime, contents
    if found and found.t == "Image" then
      mime, contents = pandoc.mediabag.lookup(source)
    end
    if contents then
      count = count + 1
      local stem = file_name(source):gsub("[^%w._-]", "_"):sub(-60)
      local extension = extensions[(mime or ""):match("^[^;]*")]
      if extension and not stem:lower():match("%." .. extension .. "$") then
        stem = stem .. "." .. extension
      end
      local path = media .. "/" .. count .. "-" .. stem
      local file = assert(io.open(path, "wb"))
      file:write(contents)
      file:close()
      files[source] = path
    else
      files[source] = false
    end
  end
  return files[source] or nil
end

local function resolve(image, linked)
  if image.src:sub(1, #media) == media then
    return nil
  elseif image.src == "" then
    return image.caption
  elseif is_remote(image.src) then
    return linked and description(image) or pandoc.Link(description(image), image.src)
  end
  local path = local_copy(image)
  if not path then
    return description(image)
  end
  image.src = path
  return image
end

local function images_in_link(link)
  link.content = link.content:walk({
    Image = function(image)
      return resolve(image, true)
    end,
  })
  return link
end

--- A figure that lost its image would say its caption twice.
local function Figure(figure)
  local has_image = false
  figure:walk({
    Image = function()
      has_image = true
    end,
  })
  local inlines = only_inlines(figure.content)
  if not has_image and inlines then
    return pandoc.Para(inlines)
  end
end

--- typst's style rules cannot tell a header's cells from the first row of a table that has none.
local function Table(tbl)
  for _, row in ipairs(tbl.head.rows) do
    for _, cell in ipairs(row.cells) do
      local inlines = only_inlines(cell.contents)
      if inlines and #inlines > 0 then
        cell.contents = { pandoc.Plain({ pandoc.Strong(inlines) }) }
      end
    end
  end
  return tbl
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
  for path in headers:gmatch("[^:]+") do
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
  document = uncite(document):walk({ Blocks = Blocks, Inlines = Inlines })
  document = document:walk({ Link = images_in_link })
  document = document:walk({
    Image = function(image)
      return resolve(image, false)
    end,
  })
  return add_headers(relink(identify(document:walk({ Figure = Figure, Table = styled and Table or nil }))))
end
