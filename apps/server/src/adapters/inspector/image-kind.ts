/** Formats whose pixels are decoded; everything else is looked at from outside. */
export type ImageKind = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/tiff'

const decoded: Readonly<Record<ImageKind, (head: Buffer) => boolean>> = {
  'image/jpeg': (head) => head.subarray(0, 3).equals(Buffer.of(0xff, 0xd8, 0xff)),
  'image/png': (head) => head.subarray(0, 8).equals(Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)),
  'image/webp': (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP',
  'image/tiff': (head) =>
    head.subarray(0, 4).equals(Buffer.of(0x49, 0x49, 0x2a, 0)) ||
    head.subarray(0, 4).equals(Buffer.of(0x4d, 0x4d, 0, 0x2a)),
}

/** What the first bytes say, whatever was announced; undefined for anything whose pixels are never decoded. */
export function imageKind(bytes: Buffer): ImageKind | undefined {
  // The keys of a record over ImageKind are exactly its words.
  return (Object.keys(decoded) as ImageKind[]).find((kind) => decoded[kind](bytes))
}
