import { path } from "./place.ts";

interface Node {
  $ref?: string;
  anyOf?: Node[];
  oneOf?: Node[];
  allOf?: Node[];
  properties?: Record<string, Node>;
  additionalProperties?: Node | boolean;
  items?: Node;
  enum?: unknown[];
  const?: unknown;
  type?: string;
  description?: string;
  $defs?: Record<string, Node>;
}

/** The JSON Schema of policies, docs/policy.schema.json. */
export class PolicySchema {
  readonly #root: Node;

  static async load(address: string): Promise<PolicySchema> {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`policy.schema.json: ${response.status}`);
    return new PolicySchema((await response.json()) as Node);
  }

  constructor(root: Node) {
    this.#root = root;
  }

  /** The members that the object at `parent` may have, with their descriptions. */
  members(parent: readonly string[]): Map<string, string> {
    const found = new Map<string, string>();
    for (const { properties = {} } of this.#at(parent)) {
      for (const [name, node] of Object.entries(properties)) {
        found.set(name, node.description ?? "");
      }
    }
    return found;
  }

  /** The JSON texts that may stand as the value at `at`, where the schema lists them. */
  values(at: readonly string[]): string[] {
    const found = this.#at(at).flatMap((node) => [
      ...(node.enum ?? []), ...(node.const === undefined ? [] : [node.const]),
      ...(node.type === "boolean" ? [true, false] : []),
    ]);
    return [...new Set(found.map((value) => JSON.stringify(value)))];
  }

  /** The member that the unknown one at `pointer` probably stands for. */
  meant(pointer: string): string | undefined {
    const parent = path(pointer);
    const name = parent.pop();
    return name === undefined ? undefined : nearest(name, [...this.members(parent).keys()]);
  }

  #at(tokens: readonly string[]): Node[] {
    let nodes = this.#whole(this.#root);
    for (const token of tokens) {
      nodes = nodes.flatMap((node) => {
        const more = typeof node.additionalProperties === "object" ? node.additionalProperties : undefined;
        const next = (Object.hasOwn(node.properties ?? {}, token) ? node.properties![token] : more)
          ?? (/^\d+$/.test(token) ? node.items : undefined);
        return next ? this.#whole(next) : [];
      });
    }
    return nodes;
  }

  /** A node and all that it refers to or combines. */
  #whole(node: Node): Node[] {
    const referred = node.$ref ? this.#root.$defs?.[node.$ref.replace("#/$defs/", "")] : undefined;
    const combined = [node.anyOf, node.oneOf, node.allOf].flatMap((nodes) => nodes ?? []);
    const parts = referred ? [referred, ...combined] : combined;
    return [node, ...parts.flatMap((part) => this.#whole(part))];
  }
}

/** The known word that a wrong one probably stands for. The command line has the same rule for its flags. */
function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > 100) return undefined;
  let least = Math.min(3, Math.floor((word.length + 2) / 3)) + 1;
  let best: string | undefined;
  for (const candidate of known) {
    const apart = distance(word, candidate);
    if (apart < least) [best, least] = [candidate, apart];
  }
  return best;
}

/** The number of letters to insert, remove, replace or exchange with their neighbour to make `b` of `a`. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const last = rows[i - 1]!;
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1);
      }
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
