// The secrets of an encrypted store: what they seal and open, and the codes that they make of names. The packages for
// Go and Python write the same bytes.
import * as base64 from "../base64.ts";
import { joined } from "../bytes.ts";
import { StoreError } from "./store.ts";

/** A secret of at least 32 bytes, with an id of 1 to 255 bytes, which is not secret. */
export interface Key {
  id: string;
  secret: Uint8Array;
}

const encoder = new TextEncoder();
const domain = "elicit store 1 ";
const magic = Uint8Array.of(0, 0x65, 0x53, 0x31); // "\0eS1"
const saltBytes = 32;
const block = 16;

/** Each key seals one text, so its nonce may be the same for all. */
const nonce = new Uint8Array(12);

const plain = () => new StoreError("plain", "something at rest is not encrypted");
export const tampered = () => new StoreError("tampered", "something at rest was changed or moved");

type Bytes = Uint8Array<ArrayBuffer>;

/** Refuses half a surrogate pair: it would be encoded as another character, and two names would share a code. */
function utf8(text: string): Bytes {
  if (/[\ud800-\udfff]/u.test(text)) // half of a pair would be encoded as another character
    throw new StoreError("invalid", "no store takes a name that is no Unicode");
  return encoder.encode(text);
}

function uint64(value: number): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

/** Parts behind their lengths, so that they cannot run into each other. */
const measured = (parts: readonly Uint8Array[]) => joined(parts.flatMap((part) => [uint64(part.length), part]));

const hkdf = (salt: Uint8Array, info: Uint8Array) =>
  ({ name: "HKDF", hash: "SHA-256", salt: joined([salt]), info: joined([encoder.encode(domain), info]) });

const secretOf = (bytes: Uint8Array) => crypto.subtle.importKey("raw", joined([bytes]), "HKDF", false, ["deriveKey"]);

export class Ring {
  readonly #first: string;
  readonly #secrets = new Map<string, Promise<CryptoKey>>();
  readonly #codes: Promise<CryptoKey>;
  readonly #names: Promise<CryptoKey>;

  constructor(names: Uint8Array, keys: readonly Key[]) {
    if (names.length < 32 || keys.length === 0)
      throw new RangeError("an encrypted store needs a secret for names of 32 bytes or more, and a key");
    for (const { id, secret } of keys) {
      const length = utf8(id).length;
      if (length === 0 || length > 255 || secret.length < 32 || this.#secrets.has(id)) {
        const rule = "an id has 1 to 255 bytes and is there once, a secret 32 or more";
        throw new RangeError(`key ${JSON.stringify(id)}: ${rule}`);
      }
      this.#secrets.set(id, secretOf(secret));
    }
    this.#first = keys[0]!.id;
    const secret = secretOf(names);
    const derive = async (what: string, algorithm: HmacKeyGenParams | AesKeyGenParams, uses: KeyUsage[]) =>
      crypto.subtle.deriveKey(hkdf(new Uint8Array(), encoder.encode(what)), await secret, algorithm, false, uses);
    this.#codes = derive("codes", { name: "HMAC", hash: "SHA-256", length: 256 }, ["sign"]);
    this.#names = derive("names", { name: "AES-CTR", length: 256 }, ["encrypt"]);
  }

  async #sum(...parts: readonly Uint8Array[]): Promise<Bytes> {
    return new Uint8Array(await crypto.subtle.sign("HMAC", await this.#codes, measured(parts)));
  }

  /** The text that stands for another in the inner store. Nothing stands for nothing. */
  async code(kind: string, ...texts: readonly string[]): Promise<string> {
    if (texts.at(-1) === "") return "";
    return base64.spellURL((await this.#sum(...[kind, ...texts].map(utf8))).subarray(0, 24));
  }

  /**
   * The text that stands for a session. It is the HMAC of the name and, because a store tells names that are due, the
   * name encrypted with the HMAC as its nonce. It shows nothing else than the length.
   */
  async name(session: string): Promise<string> {
    const text = utf8(session);
    const tag = await this.#tag(text);
    return base64.spellURL(joined([tag, await this.#stream(tag, text)]));
  }

  /** The name that a code stands for. */
  async session(name: string): Promise<string> {
    const raw = base64.readURL(name);
    if (raw === undefined || raw.length < block) throw plain();
    const tag = raw.subarray(0, block);
    const text = await this.#stream(tag, raw.subarray(block));
    const wanted = await this.#tag(text);
    if (wanted.reduce((wrong, byte, i) => wrong | (byte ^ tag[i]!), 0) !== 0) throw tampered();
    return new TextDecoder().decode(text);
  }

  #tag = async (text: Uint8Array) => (await this.#sum(encoder.encode("session"), text)).subarray(0, block);

  async #stream(tag: Uint8Array, text: Uint8Array): Promise<Bytes> {
    const algorithm = { name: "AES-CTR", counter: joined([tag]), length: 128 };
    return new Uint8Array(await crypto.subtle.encrypt(algorithm, await this.#names, joined([text])));
  }

  async #aead(id: string, salt: Uint8Array): Promise<CryptoKey> {
    const info = encoder.encode(`seal ${id}`);
    return crypto.subtle.deriveKey(
      hkdf(salt, info), await this.#secrets.get(id)!, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"],
    );
  }

  /** Seals bytes for their place. */
  async seal(text: Uint8Array, kind: string, name: string, a = 0, b = 0): Promise<Bytes> {
    const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
    const id = encoder.encode(this.#first);
    const header = joined([magic, Uint8Array.of(id.length), id, salt]);
    const algorithm = { name: "AES-GCM", iv: nonce, additionalData: bound(header, kind, name, a, b) };
    const sealed = await crypto.subtle.encrypt(algorithm, await this.#aead(this.#first, salt), joined([text]));
    return joined([header, new Uint8Array(sealed)]);
  }

  /** Opens bytes that were sealed for this place. */
  async open(sealed: Uint8Array, kind: string, name: string, a = 0, b = 0): Promise<Bytes> {
    if (magic.some((byte, i) => sealed[i] !== byte)) throw plain();
    const end = magic.length + 1 + (sealed[magic.length] ?? 0);
    const header = sealed.subarray(0, end + saltBytes);
    if (header.length < end + saltBytes || end === magic.length + 1) throw tampered();
    const id = new TextDecoder().decode(sealed.subarray(magic.length + 1, end));
    if (!this.#secrets.has(id)) {
      const named = JSON.stringify(id);
      throw new StoreError("key", `something at rest was sealed with the key ${named}, which is not there`);
    }
    const algorithm = { name: "AES-GCM", iv: nonce, additionalData: bound(header, kind, name, a, b) };
    const key = await this.#aead(id, header.subarray(end));
    const opened = crypto.subtle.decrypt(algorithm, key, joined([sealed.subarray(header.length)]));
    return new Uint8Array(await opened.catch(() => {
      throw tampered();
    }));
  }
}

/** The additional data of a sealed text: its header, and the place that it belongs to. */
const bound = (header: Uint8Array, kind: string, name: string, a: number, b: number) =>
  joined([encoder.encode(domain), header, measured([kind, name].map(utf8)), uint64(a), uint64(b)]);
