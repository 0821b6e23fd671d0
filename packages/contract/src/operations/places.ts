import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { closed, open, optional, text } from '../schema.ts'

export const places = {
  'places.find': operation({
    section: 'places',
    summary:
      'Find places by their address: at most five, the likeliest first. The service asks a geocoder that its operator ' +
      'named, and does not say who asks.',
    access: { by: 'anyone', scope: 'task:read', session: true },
    input: closed({
      q: text('An address, or part of one.', 3, 200),
      language: optional(Type.Enum(['en', 'es'], { description: 'The language of the names, where it has them.' })),
    }),
    output: open({
      places: Type.Array(
        open({
          name: Type.String({ description: 'The address in one line.' }),
          lat: Type.Number({ minimum: -90, maximum: 90 }),
          lng: Type.Number({ minimum: -180, maximum: 180 }),
        }),
      ),
      attribution: Type.String({ description: 'Whose data it is; show it beside the places.' }),
    }),
    success: 200,
    errors: ['GEOCODER_UNAVAILABLE'],
    rest: [{ method: 'GET', path: '/api/v1/places' }],
  }),
}
