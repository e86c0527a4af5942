--- The decisions, who made them and why: the records of this Neovim's engines, and the files that keep them if the
--- option `journal` asks for that.
local Engine = require('elicit.engine')
local json = require('elicit.json')
local plain = require('elicit.plain')
local uv = (vim.uv or vim.loop)

local History = {}
History.__index = History

--- The most records in memory. The oldest go first. The file keeps all.
History.most = 2000

--- `path` is the file for the first journal, or nil. Every connection has a journal of its own, because a chain of
--- records has one writer. If a file exists already, the journal uses path.2, path.3 and so on.
function History.new(path)
  return setmetatable({ records = {}, chains = 0, path = path }, History)
end

function History.default_path()
  return ('%s/elicit/%s-%d.jsonl'):format(vim.fn.stdpath('data'), os.date('!%Y%m%dT%H%M%SZ'), vim.fn.getpid())
end

--- Creates the file for a journal. It throws if the file cannot be created.
local function create(path)
  vim.fn.mkdir(vim.fn.fnamemodify(path, ':h'), 'p', tonumber('700', 8))
  local name = path
  for n = 2, 10000 do
    local file, why, code = uv.fs_open(name, 'ax', tonumber('600', 8))
    if file or code ~= 'EEXIST' then
      return file or error('the journal cannot be written: ' .. why, 0)
    end
    name = ('%s.%d'):format(path, n)
  end
  error('there are too many journals beside ' .. path, 0)
end

local function write(file, text)
  local at = 0
  while at < #text do
    local wrote, why = uv.fs_write(file, text:sub(at + 1), -1)
    if not wrote then
      error(why, 0)
    end
    at = at + wrote
  end
  local synced, why = uv.fs_fsync(file)
  if not synced then
    error(why, 0)
  end
end

--- Opens the journal of one connection. `keep(record)` returns when the record is on the disk, or throws. Without a
--- record it begins another journal. `close()` ends it.
function History:journal()
  local file, chain
  local function close()
    if file then
      uv.fs_close(file)
      file = nil
    end
  end
  local function begin()
    close()
    self.chains = self.chains + 1
    file, chain = self.path and create(self.path), self.chains
  end
  begin()
  return {
    close = close,
    keep = function(record)
      if not record then
        return begin()
      elseif file then
        write(file, record .. '\n')
      end
      table.insert(self.records, { chain = chain, line = record })
      if #self.records > History.most then
        table.remove(self.records, 1)
      end
    end,
  }
end

--- Whether a guardian rejected the answer.
local function is_turned_down(problem)
  return problem.args ~= nil and problem.args.guardian ~= nil
end

--- The requests in the records, in the order of asking. A record is a line or {chain, line}. A request is {at, server,
--- message, tool?, url?, outcome?, cause?, reasons, findings, problems, turned_down}. `turned_down` has the problems
--- because of which a person's answers were not sent.
function History.requests(records)
  local list, open, servers, ids = {}, {}, {}, {}
  for _, entry in ipairs(records) do
    local ok, record = pcall(json.decode, entry.line or entry)
    local event = ok and record.event or {}
    -- Different connections may have sessions with the same name.
    local function key_of(session, ref)
      return ('%s %s %s'):format(entry.chain, session, ref)
    end
    local key = key_of(event.session, event.ref)
    if event.event == 'opened' then
      servers[key_of(event.session)] = event.server
    elseif event.event == 'asked' then
      local request = { at = record.at, message = event.message, tool = event.tool, url = event.url }
      request.server = servers[key_of(event.session)] or event.session
      list[#list + 1], open[key] = request, request
    end
    for _, effect in ipairs(ok and record.effects or {}) do
      local request = ids[effect.id] or open[key_of(effect.session, effect.ref or event.ref)]
      if request and effect.effect == 'problem' then
        local rejected = vim.tbl_filter(is_turned_down, effect.problems)
        request.turned_down = vim.list_extend(request.turned_down or {}, rejected)
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

--- The requests in English, the newest first, with marks like those of elicit.view.
function History.read(records)
  local lines, marks = {}, {}
  local requests = History.requests(records)
  for i = #requests, 1, -1 do
    local request = requests[i]
    local outcome = request.outcome or 'open'
    local cause = request.cause and Engine.explain('causes', { request.cause })[1] or 'nobody has answered yet'
    local tool = request.tool and (' · ' .. request.tool) or ''
    local time = os.date('%Y-%m-%d %H:%M:%S', math.floor(request.at / 1000))
    local first = ('%s  %-8s %s%s: %s'):format(time, outcome, request.server, tool, cause)
    one_of(lines, marks, first, colours[outcome] or 'ElicitServer')
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

return History
