import { isLoopback } from '@ergon/protocols'
import { ConfigError } from './config-error.ts'
import type { RawSettings } from './env.ts'
import { flag, valueOf } from './value-of.ts'

/** A service that finds addresses, and how it is asked. */
export type GeocoderSettings = {
  /** Without a slash at its end. */
  readonly url: string
  readonly kind: 'photon' | 'nominatim'
  /** It is in a private network of the operator's. */
  readonly isPrivate: boolean
  readonly perMinute: number
  readonly timeoutMs: number
  readonly attribution: string
}

/** Off unless an address is set (decision 0253). @throws ConfigError */
export function decideGeocoder(raw: RawSettings): GeocoderSettings | null {
  const address = raw.text('SVC_GEOCODER_URL')
  if (address === undefined) {
    const orphan = raw.names.find((name) => /^SVC_GEOCODER_/.test(name))
    if (orphan !== undefined) throw new ConfigError(`${orphan} is set and SVC_GEOCODER_URL is not`)
    return null
  }
  const isPrivate = flag(raw, 'SVC_GEOCODER_PRIVATE', false)
  return {
    url: readUrl(address, isPrivate),
    isPrivate,
    kind: readKind(raw.text('SVC_GEOCODER_KIND') ?? 'photon'),
    perMinute: whole(raw, 'SVC_GEOCODER_PER_MINUTE', 60, 1, 1_000_000),
    timeoutMs: whole(raw, 'SVC_GEOCODER_TIMEOUT_MS', 3_000, 100, 10_000),
    attribution: readAttribution(raw.text('SVC_GEOCODER_ATTRIBUTION') ?? '© OpenStreetMap contributors'),
  }
}

/** The header that proves this deployment; null where none is asked for. @throws ConfigError, and never repeats it */
export function readGeocoderHeader(raw: RawSettings): readonly [name: string, value: string] | null {
  const text = valueOf(raw, 'SVC_GEOCODER_HEADER')
  if (text === undefined) return null
  const [, name = '', value = ''] =
    /^([A-Za-z][A-Za-z0-9-]{0,63}): *([\x21-\x7e](?:[\x20-\x7e]{0,1000}))$/.exec(text) ?? []
  if (name === '' || ownHeaders.test(name))
    throw new ConfigError('SVC_GEOCODER_HEADER must be one header, such as X-Api-Key: abc')
  return [name.toLowerCase(), value]
}

/** What the request says by itself, and what says for whom it is made. */
const ownHeaders =
  /^(?:host|connection|content-.*|transfer-encoding|accept.*|user-agent|forwarded|x-forwarded-.*|via)$/i

function readUrl(address: string, isPrivate: boolean): string {
  if (!URL.canParse(address)) throw new ConfigError('SVC_GEOCODER_URL is no URL')
  const { protocol, hostname, port, username, password, search, hash } = new URL(address)
  if (username !== '' || password !== '')
    throw new ConfigError('SVC_GEOCODER_URL must hold no credentials; set SVC_GEOCODER_HEADER')
  if (search !== '' || hash !== '') throw new ConfigError('SVC_GEOCODER_URL must have no query and no fragment')
  const isNear = (isPrivate || isLoopback(hostname)) && (protocol === 'http:' || protocol === 'https:')
  if (!isNear && (protocol !== 'https:' || (port !== '' && port !== '8443')))
    throw new ConfigError(
      'SVC_GEOCODER_URL must be https on port 443 or 8443, or http on this machine or with SVC_GEOCODER_PRIVATE',
    )
  return address.replace(/\/+$/, '')
}

function readKind(text: string): GeocoderSettings['kind'] {
  if (text === 'photon' || text === 'nominatim') return text
  throw new ConfigError('SVC_GEOCODER_KIND must be photon or nominatim')
}

function readAttribution(text: string): string {
  if (/^[^<>\p{Cc}]{1,200}$/u.test(text)) return text
  throw new ConfigError('SVC_GEOCODER_ATTRIBUTION must be at most 200 letters without markup')
}

function whole(raw: RawSettings, name: string, otherwise: number, least: number, most: number): number {
  const text = raw.text(name)
  if (text === undefined) return otherwise
  const value = Number(text)
  if (!/^\d{1,7}$/.test(text) || value < least || value > most)
    throw new ConfigError(`${name} must be a whole number from ${String(least)} to ${String(most)}`)
  return value
}
