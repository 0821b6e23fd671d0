import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { longest, LongestFirst } from './longest-first.ts'

test('what takes long begins, in the order of its length', async () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  expect(longest.filter((path) => !existsSync(root + path))).toEqual([])
  const [first = '', second = '', third = ''] = longest
  const of = (name: string, groupOrder: number, ...paths: readonly string[]) =>
    paths.map((path) => ({
      moduleId: root + path,
      project: { name, config: { isolate: true, sequence: { groupOrder } } },
    }))
  const files = [...of('browsers', 2, first), ...of('servers', 1, 'tools/test.ts', third, second)]
  // All that the sequencer reads: where they are, what they are of, and that nothing is known of an earlier run.
  const context = { cache: { getTestSpecificationResult: () => undefined } }
  const sorted = await new LongestFirst(context as unknown as Vitest).sort(files as unknown as TestSpecification[])
  expect(sorted.map(({ moduleId }) => moduleId.slice(root.length))).toEqual([second, third, 'tools/test.ts', first])
})
