import { cutText, MarketError } from '@ergon/core'

export type UnknownFields = {
  readonly unknown: readonly string[]
  /** The fields that were probably meant. */
  readonly meant?: readonly string[]
  /** Those that are required and not there. */
  readonly missing?: readonly string[]
}

/** UNKNOWN_FIELD, in one shape wherever fields are taken: requests, tools, frames of sockets. */
export function unknownFields({ unknown, meant = [], missing = [] }: UnknownFields): MarketError {
  const fields = unknown.map((name) => cutText(name, 100))
  const hint = meant.length === 0 ? '' : ` Perhaps you meant ${meant.join(', ')}.`
  const lack = missing.length === 0 ? '' : ` Required and missing: ${missing.join(', ')}.`
  return new MarketError(
    'UNKNOWN_FIELD',
    { fields, did_you_mean: meant, missing },
    { message: `The request contains unknown fields: ${fields.join(', ')}.${hint}${lack}` },
  )
}
