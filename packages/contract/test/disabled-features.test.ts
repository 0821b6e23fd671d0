import { describe, expect, test } from 'vitest'
import {
  disabledFeatureAt,
  disabledFeatures,
  openApiDocument,
  operations,
  type DisabledFeature,
  type Operation,
} from '../src/index.ts'

const off = Object.entries<DisabledFeature>(disabledFeatures).flatMap(([feature, { code, routes }]) =>
  routes.map(({ method, path }) => [`${method} ${path}`, feature, code] as const),
)

describe('a disabled feature', () => {
  test('is off on exactly these routes, with 404 where the specification says 404 and 501 where it is not wired', () => {
    expect(off.map(([route, , code]) => `${route} ${code}`)).toEqual([
      'POST /oauth/register FEATURE_DISABLED',
      'GET /oauth/authorize FEATURE_DISABLED',
      'POST /oauth/token FEATURE_DISABLED',
      'POST /oauth/revoke FEATURE_DISABLED',
      'POST /oauth/consent/{rid}/signature FEATURE_DISABLED',
      'GET /oauth/consent/{rid}/signature FEATURE_DISABLED',
      'GET /oauth/consent/{rid}/status FEATURE_DISABLED',
      'GET /.well-known/oauth-authorization-server FEATURE_DISABLED',
      'GET /.well-known/oauth-protected-resource FEATURE_DISABLED',
      'GET /.well-known/oauth-protected-resource/mcp FEATURE_DISABLED',
    ])
  })

  test.each(off)('%s is found by its path', (route, feature) => {
    const path = (route.split(' ')[1] ?? '').replaceAll(/\{[a-z_]+\}/g, 'some-id')
    // Keys of that very table.
    expect(disabledFeatureAt(path)).toBe(disabledFeatures[feature as keyof typeof disabledFeatures])
  })

  test.each(['/api/v1/streams/anything/at/all', '/api/v1/taximetro/x/y/z', '/oauth/whatever'])(
    '%s is off though nobody named it',
    (path) => {
      expect(disabledFeatureAt(path)?.code).toBe('FEATURE_DISABLED')
    },
  )

  test.each([
    '/',
    '/api/v1/streamsx',
    '/oauthx',
    '/api/v1/tasks/1/channels',
    '/api/v1/tasks//meter',
    '/api/v1/tasks/1/meter/stream/more',
  ])('%s is no part of one', (path) => {
    expect(disabledFeatureAt(path)).toBeUndefined()
  })

  test('blocks no path of an operation, and is named by the OpenAPI document', () => {
    // An operation below a feature's folder is one of its section, and is off with it.
    const served = Object.values<Operation>(operations).flatMap(({ section, rest }) =>
      rest.map(({ path }) => ({ section, path: path.replaceAll(/\{[a-z_]+\}/g, 'x') })),
    )
    const inTheWay = served.filter(({ section, path }) => {
      const feature = disabledFeatureAt(path)
      return feature !== undefined && feature.section !== section
    })
    expect(inTheWay).toEqual([])
    const { paths } = openApiDocument({ serverUrl: 'http://localhost', version: '0' }) as {
      paths: Record<string, Record<string, { responses: object }>>
    } // the document's own shape
    for (const [route, , code] of off) {
      const [method = '', path = ''] = route.split(' ')
      expect(Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {})).toContain(
        code === 'NOT_WIRED' ? '501' : '404',
      )
    }
  })
})
