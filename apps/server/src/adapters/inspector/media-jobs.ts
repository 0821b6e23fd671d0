import type { DecodeLimits, Inspected } from './inspect-bytes.ts'

/** What the worker thread is asked. */
export type MediaJob = { readonly wanted: 'facts' | 'preview'; readonly bytes: Uint8Array; readonly limits: DecodeLimits }
/** What it answers. */
export type MediaResult = { readonly facts: Inspected } | { readonly preview: Uint8Array | null }
