import * as Type from 'typebox'
import { closed, optional } from '../schema.ts'
import { limits } from '../vocabulary.ts'

const fix = {
  lat: Type.Number({ minimum: -90, maximum: 90 }),
  lng: Type.Number({ minimum: -180, maximum: 180 }),
  accuracy_meters: optional(Type.Number({ minimum: 0, maximum: 100_000 })),
  timestamp: optional(Type.String({ format: 'date-time', maxLength: 40 })),
}

/** A position fix as a device reports it (WGS 84), with the raw fixes it comes from. */
export const position = closed({
  ...fix,
  samples: optional(
    Type.Array(closed(fix), {
      minItems: 1,
      maxItems: limits.positionSamplesMax,
      description: 'Raw fixes in the order they were taken.',
    }),
  ),
})
