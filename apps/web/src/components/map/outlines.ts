import type { FeatureCollection } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import outlinesUrl from 'world-atlas/countries-50m.json?url'
import { unwrapped } from './unwrap.ts'

export type Outlines = { readonly land: FeatureCollection; readonly borders: FeatureCollection }

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
  const world = (await answer.json()) as Topology<{ countries: GeometryCollection; land: GeometryCollection }>
  const borders = mesh(world, world.objects.countries, (one, other) => one !== other)
  return { land: unwrapped(feature(world, world.objects.land)), borders: unwrapped({ type: 'FeatureCollection', features: [{ type: 'Feature', geometry: borders, properties: {} }] }) }
}
