import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const listed = (...patterns: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '--', ...patterns], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)

/** It answers as the facilitator does that clients know, by the version of that one. */
const anothers = 'apps/facilitator/src/http/service-routes.ts'

test('whoever tells a version tells that of the packages', () => {
  const versions = new Map<string, string>()
  for (const file of listed('package.json', '*/package.json', 'docs/reference/server.json')) {
    // What npm and the register of tool servers ask for.
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version?: string }
    if (version !== undefined) versions.set(file, version)
  }
  for (const file of listed('apps/*/src/*.ts', 'packages/*/src/*.ts')) {
    const [, version] = /^(?:export )?const version = '(\d+\.\d+\.\d+)'/m.exec(readFileSync(file, 'utf8')) ?? []
    if (version !== undefined && file !== anothers) versions.set(file, version)
  }
  const [whole] = [...versions.values()]
  expect(versions.size).toBeGreaterThan(20)
  expect([...versions].filter(([, version]) => version !== whole)).toEqual([])
})
