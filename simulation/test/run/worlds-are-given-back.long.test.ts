import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runScript } from './command.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** How the command starts Node. */
function flags(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: { simulate: string } } // ours
  return scripts.simulate.split(' ').filter((word) => word.startsWith('--'))
}

const source = `
import { getHeapSpaceStatistics } from 'node:v8'
const at = (path) => ${JSON.stringify(`${root}simulation/src/`)} + path
const { keepPlatform, closePlatform } = await import(at('machine/close-platform.ts'))
const { runSeeds } = await import(at('run/drive.ts'))
const { openMarketWorld } = await import(at('run/market-world.ts'))
const kept = keepPlatform()
closePlatform()
const grown = () => getHeapSpaceStatistics().find((space) => space.space_name === 'old_space').space_used_size
const run = (from, many) => runSeeds(Array.from({ length: many }, (_, index) => from + index), openMarketWorld, kept)
await run(1, 100)
const before = grown()
await run(101, 150)
console.log(Math.round((grown() - before) / 150 / 1024))
`

test('small collections give worlds back that are over (decision 0337)', { timeout: 240_000 }, async () => {
  const { lines, output, code } = await runScript(source, flags())
  expect(code, output).toBe(0)
  // A world is more than 300 KB; one in fourteen is alive when memory is collected.
  expect(Number(lines.at(-1))).toBeGreaterThan(0)
  expect(Number(lines.at(-1))).toBeLessThan(200)
})
