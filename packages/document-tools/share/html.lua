-- Raw HTML in a document becomes what a browser would show of it; typst's writer would leave it out.

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

return {
  {
    Pandoc = function(document)
      return document:walk({ Blocks = Blocks, Inlines = Inlines })
    end,
  },
}
