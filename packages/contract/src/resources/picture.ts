import * as Type from 'typebox'
import { nullable } from '../schema.ts'

/** Where a portrait is, beside a name (decision 0252). */
export const pictureUrl = (whose: string) =>
  nullable(
    Type.String({
      description: `The picture of ${whose}, a JPEG of 256 pixels a side: a path of this service. Null: there is none.`,
    }),
  )
