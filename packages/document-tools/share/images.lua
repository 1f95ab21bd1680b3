-- Images become files that typst can read, or their descriptions where there is none.

local media = os.getenv("DOCUMENT_TOOLS_MEDIA")

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
  local first = figure.content[1]
  if not has_image and #figure.content == 1 and first.content then
    return pandoc.Para(first.content)
  end
end

function Pandoc(document)
  document = document:walk({ Link = images_in_link })
  document = document:walk({
    Image = function(image)
      return resolve(image, false)
    end,
  })
  return document:walk({ Figure = Figure })
end
