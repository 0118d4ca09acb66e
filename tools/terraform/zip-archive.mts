import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";

/** A file of an archive. */
export interface ArchivedFile {
  readonly name: string;
  readonly content: Buffer;
  readonly isExecutable?: boolean;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
/** Attributes are those of Unix: without them, Terraform could not start what it unpacks. */
const MADE_BY_UNIX = (3 << 8) | VERSION;
const DEFLATED = 8;
const REGULAR_FILE = 0o100000;
/** 1980-01-01, the first day that the format has: the same files make the same archive. */
const FIRST_DAY = (1 << 5) | 1;

/** A zip archive (PKWARE's APPNOTE) of a few files, each smaller than 4 GiB. */
export async function zipArchive(files: readonly ArchivedFile[]): Promise<Buffer> {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const { name, content, isExecutable = false } of files) {
    const path = Buffer.from(name);
    const packed = await promisify(deflateRaw)(content);
    const about = Buffer.concat([
      words(VERSION, 0, DEFLATED, 0, FIRST_DAY),
      longs(crc32(content), packed.length, content.length),
      words(path.length, 0),
    ]);
    const mode = REGULAR_FILE | (isExecutable ? 0o755 : 0o644);
    parts.push(longs(LOCAL), about, path, packed);
    directory.push(longs(CENTRAL), words(MADE_BY_UNIX), about, words(0, 0, 0), longs((mode << 16) >>> 0, offset), path);
    offset += 4 + about.length + path.length + packed.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = [longs(END), words(0, 0, files.length, files.length), longs(size, offset), words(0)];
  return Buffer.concat([...parts, ...directory, ...end]);
}

function words(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) buffer.writeUInt16LE(value, 2 * index);
  return buffer;
}

function longs(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) buffer.writeUInt32LE(value, 4 * index);
  return buffer;
}
