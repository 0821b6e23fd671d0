import { expect, test } from 'vitest'
import { ConfigError, type Env } from '../src/index.ts'
import { decide, good } from './config-env.ts'

test.each<[Env, string]>([
  [{ SVC_GEOCODER_KIND: 'photon' }, 'SVC_GEOCODER_KIND is set and SVC_GEOCODER_URL is not'],
  [{ SVC_GEOCODER_URL: 'geo.test' }, 'SVC_GEOCODER_URL is no URL'],
  [{ SVC_GEOCODER_URL: 'http://geo.test' }, 'SVC_GEOCODER_URL must be https on port 443 or 8443'],
  [{ SVC_GEOCODER_URL: 'https://geo.test:2322' }, 'SVC_GEOCODER_URL must be https on port 443 or 8443'],
  [{ SVC_GEOCODER_URL: 'ftp://photon', SVC_GEOCODER_PRIVATE: 'true' }, 'SVC_GEOCODER_URL must be https on port'],
  [{ SVC_GEOCODER_URL: 'https://geo.test', SVC_GEOCODER_PRIVATE: 'yes' }, 'SVC_GEOCODER_PRIVATE must be true or false'],
  [{ SVC_GEOCODER_URL: 'ftp://localhost' }, 'SVC_GEOCODER_URL must be https on port 443 or 8443'],
  [{ SVC_GEOCODER_URL: 'https://u:p@geo.test' }, 'SVC_GEOCODER_URL must hold no credentials'],
  [{ SVC_GEOCODER_URL: 'https://geo.test/?key=1' }, 'SVC_GEOCODER_URL must have no query'],
  [{ SVC_GEOCODER_URL: 'https://geo.test', SVC_GEOCODER_KIND: 'other' }, 'must be photon or nominatim'],
  [{ SVC_GEOCODER_URL: 'https://geo.test', SVC_GEOCODER_PER_MINUTE: '0' }, 'SVC_GEOCODER_PER_MINUTE must be'],
  [{ SVC_GEOCODER_URL: 'https://geo.test', SVC_GEOCODER_TIMEOUT_MS: '10001' }, 'SVC_GEOCODER_TIMEOUT_MS must be'],
  [{ SVC_GEOCODER_URL: 'https://geo.test', SVC_GEOCODER_ATTRIBUTION: '<b>' }, 'without markup'],
  [{ SVC_GEOCODER_URL: 'https://geo.test', SVC_GEOCODER_HEADER: 'Host: a' }, 'SVC_GEOCODER_HEADER must be one header'],
  [{ SVC_GEOCODER_URL: 'https://geo.test', SVC_GEOCODER_HEADER: 'A: b\nC: d' }, 'must be one header'],
])('%j is refused by name, without its value', (change, name) => {
  const deciding = () => decide({ ...good, ...change })
  expect(deciding).toThrow(ConfigError)
  expect(deciding).toThrow(name)
})

test('no addresses are looked up unless a geocoder is named, and its header is none of the configuration', () => {
  expect(decide(good)).toMatchObject({ config: { geocoder: null }, secrets: { geocoderHeader: null } })
  const { config, secrets } = decide({
    ...good,
    SVC_GEOCODER_URL: 'https://geo.test:8443/photon/',
    SVC_GEOCODER_HEADER: 'X-Api-Key: the key of the geocoder',
  })
  expect(config.geocoder).toEqual({
    url: 'https://geo.test:8443/photon',
    kind: 'photon',
    isPrivate: false,
    perMinute: 60,
    timeoutMs: 3_000,
    attribution: '© OpenStreetMap contributors',
  })
  expect(secrets.geocoderHeader).toEqual(['x-api-key', 'the key of the geocoder'])
  expect(JSON.stringify(config)).not.toContain('the key of the geocoder')
  const local = decide({ ...good, SVC_GEOCODER_URL: 'http://127.0.0.1:2322', SVC_GEOCODER_KIND: 'nominatim' })
  expect(local.config.geocoder).toMatchObject({ url: 'http://127.0.0.1:2322', kind: 'nominatim', isPrivate: false })
  const within = decide({ ...good, SVC_GEOCODER_URL: 'http://photon:2322', SVC_GEOCODER_PRIVATE: 'true' })
  expect(within.config.geocoder).toMatchObject({ url: 'http://photon:2322', isPrivate: true })
})
