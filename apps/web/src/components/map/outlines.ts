import type { FeatureCollection } from 'geojson'
import { feature, mesh } from 'topojson-client'
import outlinesUrl from 'world-atlas/countries-50m.json?url'
import { unwrapped } from '../../world-plugin/unwrap.ts'

export type Outlines = { readonly land: FeatureCollection; readonly borders: FeatureCollection }

type World = Parameters<typeof mesh>[0]
// The two packages of types name the same shapes with and without properties.
type Drawn = Parameters<typeof mesh>[1]

const loading: { outlines: Promise<Outlines> | undefined } = { outlines: undefined }

/** The coasts and borders of the world, bundled with the app: a map needs nobody else's network. */
export function loadOutlines(): Promise<Outlines> {
  loading.outlines ??= readOutlines().catch((error: unknown) => {
    loading.outlines = undefined
    throw error
  })
  return loading.outlines
}

async function readOutlines(): Promise<Outlines> {
  const answer = await fetch(outlinesUrl)
  if (!answer.ok) throw new Error(`the outlines answered ${answer.status}`)
  // The file is part of the build, so its shape is known.
  const world = (await answer.json()) as World
  const { land, countries } = world.objects
  if (land === undefined || countries === undefined) throw new Error('the outlines lack land or countries')
  const coasts = feature(world, land)
  const borders = mesh(world, countries as Drawn, (one, other) => one !== other)
  return {
    land: unwrapped(coasts.type === 'FeatureCollection' ? coasts : { type: 'FeatureCollection', features: [coasts] }),
    borders: unwrapped({
      type: 'FeatureCollection',
      features: [{ type: 'Feature', geometry: borders, properties: {} }],
    }),
  }
}
