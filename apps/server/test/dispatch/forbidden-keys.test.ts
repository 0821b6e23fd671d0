import { expect, test } from 'vitest'
import { forbiddenKeyOf } from '../../src/dispatch/forbidden-keys.ts'

test.each<[readonly string[], boolean]>([
  [['X-API-Key', 'k'], true],
  [['x-api-key', ''], true],
  [['Authorization', 'Bearer x'], true],
  [['authorization', ' BEARER\tx'], true],
  [['AUTHORIZATION', 'bearer'], true],
  [['authorization', 'Basic x'], false],
  [['authorization', 'Bearerx'], false],
  [['x-api-kez', 'k'], false],
  [['proxyauthoriz', 'Bearer x'], false],
  [['accept', 'x-api-key'], false],
  [[], false],
  [['accept', '*/*', 'X-Api-Key', 'k'], true],
  [['authorization', 'Basic x', 'authorization', 'Bearer x'], true],
])('the headers %j carry a forbidden key: %s', (headers, isForbidden) => {
  expect(forbiddenKeyOf(headers) !== undefined).toBe(isForbidden)
})
