import { expect, test } from 'vitest'
import { disabledFeatureAt, operations, type Operation } from '../src/index.ts'
import specifiedEndpoints from './specified-endpoints.json' with { type: 'json' }

/** Whole folders that the specification names without saying what is in them; each must hold something. */
const specifiedFolders = ['/api/v1/h2a', '/api/v1/streams']

const nameless = (route: string): string => route.replaceAll(/\{[a-z_]+\}/g, '{}')
const served = new Set(
  Object.values<Operation>(operations).flatMap(({ rest }) =>
    rest.map(({ method, path }) => nameless(`${method} ${path}`)),
  ),
)
const pathOf = (route: string): string => route.slice(route.indexOf(' ') + 1)

test.each(Object.values(specifiedEndpoints).flat())(
  '%s is served, or answers that it is off (spec §4, §5)',
  (route) => {
    expect(served.has(nameless(route)) || disabledFeatureAt(pathOf(route)) !== undefined).toBe(true)
  },
)

test('an endpoint is named once', () => {
  const all = Object.values(specifiedEndpoints).flat().map(nameless)
  expect(all.filter((route, index) => all.indexOf(route) !== index)).toEqual([])
})

test.each(specifiedFolders)('something answers below %s', (folder) => {
  expect(
    [...served].some((route) => pathOf(route).startsWith(`${folder}/`)) ||
      disabledFeatureAt(`${folder}/anything`) !== undefined,
  ).toBe(true)
})
