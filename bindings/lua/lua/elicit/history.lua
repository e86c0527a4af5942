--- What was decided, by whom and why: the records of this Neovim's engine, and the file that keeps them if one is asked for.
local Engine = require('elicit.engine')
local json = require('elicit.json')
local plain = require('elicit.plain')
local uv = (vim.uv or vim.loop)

local History = {}
History.__index = History

--- Records beyond this many are let go here; the file keeps all.
History.most = 2000

--- `path` is a file to keep records in, or nil. Throws when it cannot be written.
function History.new(path)
  local self = setmetatable({ records = {}, path = path }, History)
  if path then
    vim.fn.mkdir(vim.fn.fnamemodify(path, ':h'), 'p', tonumber('700', 8))
    local file, why = uv.fs_open(path, 'ax', tonumber('600', 8))
    if not file then
      error('the journal cannot be written: ' .. why, 0)
    end
    self.file = file
  end
  return self
end

--- A file of its own for every Neovim, since a chain of records has one writer.
function History.default_path()
  return ('%s/elicit/%s-%d.jsonl'):format(vim.fn.stdpath('data'), os.date('!%Y%m%dT%H%M%SZ'), vim.fn.getpid())
end

--- Keeps one record. When it returns, the file has it on the disk.
function History:keep(line)
  if self.file then
    local text, at = line .. '\n', 0
    while at < #text do
      local wrote, why = uv.fs_write(self.file, text:sub(at + 1), -1)
      if not wrote then
        error(why, 0)
      end
      at = at + wrote
    end
    local synced, why = uv.fs_fsync(self.file)
    if not synced then
      error(why, 0)
    end
  end
  table.insert(self.records, line)
  if #self.records > History.most then
    table.remove(self.records, 1)
  end
end

--- Whether a guardian turned the answer down.
local function is_turned_down(problem)
  return problem.args ~= nil and problem.args.guardian ~= nil
end

--- The requests in the records, in the order they were asked: {at, server, message, tool?, url?, outcome?, cause?, reasons,
--- findings, problems, turned_down}; the last is why answers of a person were not sent.
function History.requests(records)
  local list, open, servers, ids = {}, {}, {}, {}
  for _, line in ipairs(records) do
    local ok, record = pcall(json.decode, line)
    local event = ok and record.event or {}
    local key = ('%s %s'):format(event.session, event.ref)
    if event.event == 'opened' then
      servers[event.session] = event.server
    elseif event.event == 'asked' then
      local request = { at = record.at, server = servers[event.session] or event.session, message = event.message, tool = event.tool, url = event.url }
      list[#list + 1], open[key] = request, request
    end
    for _, effect in ipairs(ok and record.effects or {}) do
      local request = ids[effect.id] or open[('%s %s'):format(effect.session, effect.ref or event.ref)]
      if request and effect.effect == 'problem' then
        request.turned_down = vim.list_extend(request.turned_down or {}, vim.tbl_filter(is_turned_down, effect.problems))
      elseif request and effect.effect == 'show' then
        ids[effect.id] = request
        request.reasons, request.findings = effect.reasons, effect.findings
      elseif request and effect.effect == 'reply' then
        request.outcome, request.cause, request.settled = effect.outcome, effect.cause, record.at
        request.reasons = effect.reasons or request.reasons
        request.findings = effect.findings or request.findings
        request.problems = effect.problems
      end
    end
  end
  return list
end

local function one_of(lines, marks, text, group)
  for _, line in ipairs(plain.lines(text, 200)) do
    lines[#lines + 1] = line
    if group then
      marks[#marks + 1] = { row = #lines - 1, from = 0, to = #line, group = group }
    end
  end
end

local colours = { accept = 'ElicitLow', decline = 'ElicitMedium', cancel = 'ElicitMedium', error = 'ElicitProblem' }

--- The requests in English, the newest first, with marks as in elicit.view.
function History.read(records)
  local lines, marks = {}, {}
  local requests = History.requests(records)
  for i = #requests, 1, -1 do
    local request = requests[i]
    local outcome = request.outcome or 'open'
    local cause = request.cause and Engine.explain('causes', { request.cause })[1] or 'nobody has answered yet'
    local tool = request.tool and (' · ' .. request.tool) or ''
    one_of(lines, marks, ('%s  %-8s %s%s: %s'):format(os.date('%Y-%m-%d %H:%M:%S', math.floor(request.at / 1000)), outcome, request.server, tool, cause), colours[outcome] or 'ElicitServer')
    one_of(lines, marks, '    ' .. vim.split(request.message or '', '\n')[1])
    if request.url then
      one_of(lines, marks, '    ' .. request.url)
    end
    for _, kind in ipairs({ 'reasons', 'findings', 'problems' }) do
      for _, sentence in ipairs(Engine.explain(kind, request[kind])) do
        one_of(lines, marks, '    - ' .. sentence, 'ElicitQuiet')
      end
    end
    for _, sentence in ipairs(Engine.explain('problems', request.turned_down)) do
      one_of(lines, marks, '    - an answer was not sent: ' .. sentence, 'ElicitQuiet')
    end
    lines[#lines + 1] = ''
  end
  if #lines == 0 then
    lines = { 'Nothing has been asked yet.' }
  end
  return { lines = lines, marks = marks }
end

--- The records of a journal file.
function History.load(path)
  local records = {}
  for line in io.lines(path) do
    records[#records + 1] = line
  end
  return records
end

function History:close()
  if self.file then
    uv.fs_close(self.file)
    self.file = nil
  end
end

return History
