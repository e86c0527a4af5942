# A server of MCP that asks one question during a call, for the clients of cabi/example and of bindings.
read -r initialize
case $initialize in
*'"clientInfo":{"name":"'*) ;;
*) # the protocol requires it, and servers of the official SDKs refuse the connection without it
  printf '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no clientInfo"}}\n'
  exit
  ;;
esac
printf '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},'
printf '"serverInfo":{"name":"asking","version":"1"}}}\n'
read -r initialized
read -r call
printf '{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Keep it for how long?",'
printf '"requestedSchema":{"type":"object","required":["days"],'
printf '"properties":{"days":{"type":"integer","title":"Days","maximum":30}}}}}\n'
read -r answer
days=$(printf '%s' "$answer" | sed -n 's/.*"days":\([0-9]*\).*/ for \1 days/p')
printf '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"kept%s"}]}}\n' "$days"
cat >/dev/null
