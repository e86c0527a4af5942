/**
 * The name and the raw text of each member of a JSON object, or of each element of a list, which has no name.
 * @param {string} text
 */
export function parts(text) {
  /** @type {[name: string, raw: string][]} */
  const found = [];
  const listed = text.trimStart().startsWith("[");
  let depth = 0;
  let name = "";
  let from = -1;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/gs)) {
    if (depth === 1 && from < 0 && token.startsWith('"')) name = JSON.parse(token);
    else if (depth === 1 && from < 0 && token === ":") from = index + 1;
    else if (depth === 1 && from >= 0 && ",}]".includes(token)) {
      found.push([name, text.slice(from, index).trim()]);
      from = listed ? index + 1 : -1;
    }
    if ("{[".includes(token) && ++depth === 1 && listed) from = index + 1;
    if ("}]".includes(token)) depth--;
  }
  return found;
}

