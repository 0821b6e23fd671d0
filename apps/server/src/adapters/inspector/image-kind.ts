import { fileKinds } from '@ergon/contract/facts'

/** Formats whose pixels are decoded; everything else is looked at from outside. */
export type ImageKind = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/tiff'

const headBytes = 16
const decoded: Readonly<Record<ImageKind, RegExp>> = {
  'image/jpeg': fileKinds['image/jpeg'].begins,
  'image/png': fileKinds['image/png'].begins,
  'image/webp': fileKinds['image/webp'].begins,
  'image/tiff': /^(?:II\x2a\0|MM\0\x2a)/,
}

/** What the first bytes say, whatever was announced; undefined for anything whose pixels are never decoded. */
export function imageKind(bytes: Buffer): ImageKind | undefined {
  const head = bytes.toString('latin1', 0, headBytes)
  // The keys of a record over ImageKind are exactly its words.
  return (Object.keys(decoded) as ImageKind[]).find((kind) => decoded[kind].test(head))
}
