import type { DecodeLimits, Inspected, Square } from './inspect-bytes.ts'

/** What a parser is asked of the bytes that come with it. */
export type MediaJob =
  | { readonly wanted: 'facts' | 'preview' | 'shown'; readonly limits: DecodeLimits }
  | { readonly wanted: 'square'; readonly square: Square; readonly limits: DecodeLimits }
  | { readonly wanted: 'clean'; readonly contentType: string }

/** What it answers; the bytes of a preview, of what is shown, or of a clean copy come with it. */
export type MediaResult =
  | { readonly is: 'facts'; readonly facts: Inspected }
  | { readonly is: 'preview' | 'square' | 'shown'; readonly made: boolean }
  | { readonly is: 'broken' }
  /** `cleanSha256` is of the copy; null where the file itself is clean. */
  | { readonly is: 'clean'; readonly sha256: string; readonly cleanSha256: string | null }
