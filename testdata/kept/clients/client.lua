-- A host of libelicit in Neovim: a connection, an engine that moves and a decision.
local Engine, json = require('elicit.engine'), require('elicit.json')

local hello = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
  .. '"capabilities":{},"clientInfo":{"name":"kept","version":"1"}}}'
local welcome = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},'
  .. '"serverInfo":{"name":"backup","version":"1"}}}'
local schema = '{"type":"object","properties":{"days":{"type":"integer","maximum":30}},"required":["days"]}'
local question = '{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Keep for how long?",'
  .. '"requestedSchema":' .. schema .. '}}'
local policy = { version = 1, rules = { { name = 'no-url', when = { mode = 'url' }, ['then'] = 'decline' } } }

local function say(...)
  io.stdout:write(string.format(...) .. '\n')
end
local function told(what, effects)
  local names = {}
  for _, effect in ipairs(effects) do
    if effect.effect ~= 'append' and effect.effect ~= 'wake' then
      names[#names + 1] = effect.effect
    end
  end
  say('%s: %s', what, table.concat(names, ' '))
end
local function of(effects, name)
  for _, effect in ipairs(effects) do
    if effect.effect == name then
      return effect
    end
  end
end

local connection = Engine.connection {
  server = 'backup', role = 'client', modes = { 'form' }, config = { policy = { user = policy } },
}
told('client', connection:receive('client', hello))
told('server', connection:receive('server', welcome))
local effects = connection:receive('server', question)
told('question', effects)
local show = of(effects, 'show')
local answer = { event = 'answered', session = show.session, id = show.id, action = 'accept', content = { days = 99 } }
told('wrong', connection:step(answer))
answer.content = { days = 7 }
effects = connection:step(answer)
told('answered', effects)
say('sent: %s', of(effects, 'send').message)
connection:close()

local first = Engine.open({ policy = { user = policy } }, 1000, ('ab'):rep(32))
local second = Engine.open()
first:step({ event = 'opened', session = 's', server = 'backup', side = 'answering', declared = { 'form', 'url' },
  shown = { 'form', 'url' } }, 1000)
told('asked', first:step('{"event":"asked","session":"s","ref":"1","mode":"form","message":"Keep?","schema":'
  .. schema .. '}', 1000, ('cd'):rep(32)))
effects = first:step { event = 'asked', session = 's', mode = 'url', message = 'Pay', url = 'https://shop.example/',
  link = 'p', ref = '2' }
told('url', effects)
show = of(second:step('{"event":"resumed","state":' .. first:save('s') .. '}', 2000), 'show')
local reply = of(second:step { event = 'answered', session = 's', id = show.id, action = 'accept',
  content = { days = 7 } }, 'reply')
say('reply: %s %d', reply.outcome, reply.content.days)
say('decide: %s', json.decode(Engine.eval('decide',
  json.encode({ policy = { user = policy }, facts = { mode = 'url' } }))).outcome)
local ok, fault = pcall(Engine.open, { limits = { shown = -1 } })
say('refused: %s', not ok and fault.problems[1].pointer or 'nothing')
