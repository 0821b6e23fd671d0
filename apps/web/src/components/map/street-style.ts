import { layers, type Flavor } from '@protomaps/basemaps'
import type { Language } from '../../lib/language.ts'
import type { MapColors } from './map-colors.ts'
import type { LayerSpecification } from './maplibre.ts'

/** Below it the world of the app is drawn everywhere: tiles of streets would end at their edges. */
export const streetsFromZoom = 7
/**
 * Not drawn: the sea (ours lies below), borders and countries (ours are all of one make), shops and signs, for which
 * there are no pictures.
 */
const leftOut =
  /^(?:background|landcover|boundaries.*|pois|roads_oneway|roads_shields|places_country|places_region|address_label)$/
/** The letters of the page; what they lack comes from the device. */
export const letters = ['Figtree Variable', 'system-ui']

/** Streets, parks, water and their names out of tiles in the schema of Protomaps, in the colours of the app. */
export function streetLayers(source: string, colors: MapColors, language: Language): LayerSpecification[] {
  return layers(source, flavorOf(colors), { lang: language })
    .filter(({ id }) => !leftOut.test(id))
    .map((layer) => ({
      ...withoutPictures(layer),
      id: `street-${layer.id}`,
      minzoom: Math.max(streetsFromZoom, layer.minzoom ?? 0),
    }))
}

function withoutPictures(layer: LayerSpecification): LayerSpecification {
  if (layer.type !== 'symbol') return layer
  const layout = Object.entries(layer.layout ?? {}).filter(([name]) => !name.startsWith('icon-'))
  return { ...layer, layout: Object.fromEntries(layout) }
}

/** The palette of a theme with one colour for each thing that has the same meaning here. */
function flavorOf(colors: MapColors): Flavor {
  const { water, land, park, built, building, street, casing, border, label, ink } = colors
  const green = { park_a: park, park_b: park, wood_a: park, wood_b: park, scrub_a: park, scrub_b: park, zoo: park }
  const ground = {
    hospital: built,
    industrial: built,
    school: built,
    military: built,
    aerodrome: built,
    pedestrian: built,
  }
  const bare = { glacier: land, sand: land, beach: land, pier: land, runway: casing }
  const ways = ['other', 'minor', 'link', 'major', 'highway'] as const
  const crossings = Object.fromEntries(
    ways.flatMap((way) => [
      [`tunnel_${way}`, built],
      [`tunnel_${way}_casing`, casing],
      [`bridges_${way}`, street],
      [`bridges_${way}_casing`, casing],
    ]),
  ) as Pick<Flavor, `tunnel_${(typeof ways)[number]}` | `bridges_${(typeof ways)[number]}`> & Record<string, string>
  const streets = { other: built, minor_service: street, minor_a: street, minor_b: street, link: street }
  const roads = { major: street, highway: street, railway: casing }
  const edges = {
    minor_service_casing: casing,
    minor_casing: casing,
    link_casing: casing,
    major_casing_early: casing,
    major_casing_late: casing,
    highway_casing_early: casing,
    highway_casing_late: casing,
  }
  const names = {
    roads_label_minor: label,
    roads_label_minor_halo: street,
    roads_label_major: label,
    roads_label_major_halo: street,
    ocean_label: label,
    subplace_label: label,
    subplace_label_halo: land,
    city_label: ink,
    city_label_halo: land,
    state_label: label,
    state_label_halo: land,
    country_label: label,
    address_label: label,
    address_label_halo: land,
  }
  const fonts = { regular: letters.join(), bold: letters.join(), italic: letters.join() }
  const all = { background: water, earth: land, water, buildings: building, boundaries: border }
  return {
    ...all,
    ...green,
    ...ground,
    ...bare,
    ...crossings,
    ...streets,
    ...roads,
    ...edges,
    ...names,
    ...fonts,
  } as Flavor
}
