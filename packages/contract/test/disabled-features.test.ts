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
      'GET /api/v1/streams FEATURE_DISABLED',
      'POST /api/v1/streams FEATURE_DISABLED',
      'GET /api/v1/streams/{stream_id} FEATURE_DISABLED',
      'POST /api/v1/streams/{stream_id}/session FEATURE_DISABLED',
      'GET /api/v1/streams/session/{session_id} FEATURE_DISABLED',
      'GET /api/v1/streams/session/{session_id}/reclaim FEATURE_DISABLED',
      'POST /api/v1/streams/session/{session_id}/close FEATURE_DISABLED',
      'POST /api/v1/streams/presence FEATURE_DISABLED',
      'GET /api/v1/taximetro/{channel_id}/stream FEATURE_DISABLED',
      'GET /api/v1/taximetro/{channel_id}/history FEATURE_DISABLED',
      'GET /api/v1/taximetro/health FEATURE_DISABLED',
      'POST /api/v1/tasks/{task_id}/channel NOT_WIRED',
      'POST /api/v1/tasks/{task_id}/channel/settle NOT_WIRED',
      'POST /api/v1/tasks/{task_id}/tick NOT_WIRED',
      'POST /api/v1/tasks/{task_id}/scan NOT_WIRED',
      'GET /api/v1/tasks/{task_id}/meter FEATURE_DISABLED',
      'GET /api/v1/tasks/{task_id}/meter/stream FEATURE_DISABLED',
      'GET /api/v1/tasks/{task_id}/channel/public FEATURE_DISABLED',
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

  test('stands in no way of an operation, and is named by the OpenAPI document', () => {
    const served = Object.values<Operation>(operations).flatMap(({ rest }) =>
      rest.map(({ path }) => path.replaceAll(/\{[a-z_]+\}/g, 'x')),
    )
    expect(served.filter((path) => disabledFeatureAt(path) !== undefined)).toEqual([])
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
