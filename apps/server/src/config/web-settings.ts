import { ConfigError } from './config-error.ts'
import type { RawSettings } from './env.ts'

/** The app for people, and what its page is told. */
export type WebSettings = {
  readonly dir: string
  readonly faucetUrl: string | null
  readonly map: MapSettings
  readonly links: WebLinks
}

/** Pages of the operator that the app leads to; each may be absent. */
export type WebLinks = {
  readonly terms: string | null
  readonly privacy: string | null
  readonly help: string | null
  /** Where dollars become tokens; `{address}` in it is replaced by the wallet of the reader. */
  readonly onRamp: string | null
}

/** Streets that an operator adds to the world of the app: an archive of tiles, or an address of them; or neither. */
export type MapSettings = {
  readonly file: string | null
  /** Of vector tiles, with `{z}`, `{x}` and `{y}`. */
  readonly tilesUrl: string | null
  readonly tilesMaxZoom: number
  /** What has to be named beside the map; null: what the archive says. */
  readonly attribution: string | null
}

/** @throws ConfigError when a faucet is named where money could be real, or where no page would use it */
export function decideWeb(raw: RawSettings, networks: readonly string[]): WebSettings | null {
  const dir = raw.text('SVC_WEB_DIR')
  const faucet = raw.text('SVC_FAUCET_URL')
  if (faucet !== undefined && dir === undefined) throw new ConfigError('SVC_FAUCET_URL is set and SVC_WEB_DIR is not')
  if (faucet !== undefined && !networks.every((name) => name === 'localnet'))
    throw new ConfigError('SVC_FAUCET_URL is for localnet alone; SVC_NETWORKS names another network')
  const map = decideMap(raw)
  if (dir === undefined) {
    const orphan = [...mapNames, ...Object.values(linkNames)].find((name) => raw.text(name) !== undefined)
    if (orphan !== undefined) throw new ConfigError(`${orphan} is set and SVC_WEB_DIR is not`)
    return null
  }
  return { dir, faucetUrl: faucet === undefined ? null : plainUrl(faucet), map, links: decideLinks(raw) }
}

const linkNames = {
  terms: 'SVC_TERMS_URL',
  privacy: 'SVC_PRIVACY_URL',
  help: 'SVC_HELP_URL',
  onRamp: 'SVC_ON_RAMP_URL',
} as const

function decideLinks(raw: RawSettings): WebLinks {
  const link = (name: (typeof linkNames)[keyof typeof linkNames]): string | null => {
    const text = raw.text(name)
    if (text === undefined) return null
    const filled = name === linkNames.onRamp ? text.replace('{address}', '') : text
    const url = /^https?:\/\/[^{}\s]+$/.test(filled) && URL.canParse(filled) ? new URL(filled) : undefined
    if (url === undefined || url.username !== '' || url.password !== '' || text.length > longestLink)
      throw new ConfigError(
        `${name} must be an http or https URL without credentials, of at most ${String(longestLink)} characters`,
      )
    return text
  }
  return {
    terms: link(linkNames.terms),
    privacy: link(linkNames.privacy),
    help: link(linkNames.help),
    onRamp: link(linkNames.onRamp),
  }
}

const longestLink = 500

const mapNames = ['SVC_MAP_FILE', 'SVC_MAP_TILES_URL', 'SVC_MAP_TILES_ZOOM', 'SVC_MAP_ATTRIBUTION']

function decideMap(raw: RawSettings): MapSettings {
  const [file, tiles, zoom] = [raw.text('SVC_MAP_FILE'), raw.text('SVC_MAP_TILES_URL'), raw.text('SVC_MAP_TILES_ZOOM')]
  const attribution = raw.text('SVC_MAP_ATTRIBUTION')
  if (file !== undefined && tiles !== undefined)
    throw new ConfigError('SVC_MAP_FILE and SVC_MAP_TILES_URL are both set; streets come from one of them')
  if (zoom !== undefined && tiles === undefined)
    throw new ConfigError('SVC_MAP_TILES_ZOOM is set and SVC_MAP_TILES_URL is not')
  if (zoom !== undefined && !/^(?:1?\d|2[0-4])$/.test(zoom))
    throw new ConfigError('SVC_MAP_TILES_ZOOM must be a whole number up to 24')
  if (attribution !== undefined && (file ?? tiles) === undefined)
    throw new ConfigError('SVC_MAP_ATTRIBUTION is set and names no map; set SVC_MAP_FILE or SVC_MAP_TILES_URL')
  if (attribution !== undefined && !/^[^<>\p{Cc}]{1,200}$/u.test(attribution))
    throw new ConfigError('SVC_MAP_ATTRIBUTION must be at most 200 letters without markup')
  return {
    file: file ?? null,
    tilesUrl: tiles === undefined ? null : tilesUrl(tiles),
    tilesMaxZoom: Number(zoom ?? 15),
    attribution: attribution ?? null,
  }
}

/** Its origin goes into the policy of every page, so it is a plain one. */
function tilesUrl(text: string): string {
  const url = /^https?:\/\/[^*{}]+\//.test(text) && URL.canParse(text) ? new URL(text) : undefined
  const named = ['{z}', '{x}', '{y}'].every((part) => text.split(part).length === 2)
  if (url === undefined || !named || url.username !== '' || url.password !== '' || url.host.includes('*'))
    throw new ConfigError(
      'SVC_MAP_TILES_URL must be an http or https URL without credentials that holds {z}, {x} and {y} once each',
    )
  return text
}

function plainUrl(text: string): string {
  const url = /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined
  // Every visitor reads it.
  if (url === undefined || url.username !== '' || url.password !== '')
    throw new ConfigError('SVC_FAUCET_URL must be an http or https URL without credentials')
  return text.replace(/\/+$/, '')
}
