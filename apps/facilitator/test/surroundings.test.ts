import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('../src', import.meta.url))
/** The clock, the timers and the randomness of the machine, by the names that reach them. */
const platform =
  /\bDate\.now\b|\bnew Date\(\)|\bperformance\b|\bsetTimeout\b|\bsetInterval\b|\bsetImmediate\b|\bqueueMicrotask\b|\bprocess\.nextTick\b|\brandomUUID\b|\brandomBytes\b|\bgetRandomValues\b|\bMath\.random\b|timers\/promises|node:timers/
const words = /\/\*[\s\S]*?\*\/|\/\/.*$/gm

test('nothing but one file reaches the clock, the timers or the randomness of the platform', () => {
  const files = globSync('**/*.ts', { cwd: source }).filter(
    (file) => !file.startsWith('testing/') && !file.endsWith('.test.ts'),
  )
  expect(files.length).toBeGreaterThan(50)
  const reaching = files.filter((file) => platform.test(readFileSync(`${source}/${file}`, 'utf8').replace(words, '')))
  expect(reaching).toEqual(['surroundings/platform.ts'])
})

test('only the edge of the process knows the process', () => {
  const files = globSync('**/*.ts', { cwd: source }).filter((file) => !file.startsWith('testing/'))
  const reaching = files.filter((file) =>
    /\bprocess\.|node:process/.test(readFileSync(`${source}/${file}`, 'utf8').replace(words, '')),
  )
  expect(reaching).toEqual(['main.ts'])
})
