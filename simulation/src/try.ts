import { loadFastKeccak } from '@ergon/protocols'
import { deployment } from './chain/deployment.ts'
import { mint } from './chain/token.ts'
import { createFacilitators } from './parts/facilitator.ts'
import { createMemoryIntents } from './parts/intents-stand-in.ts'
import { settle } from './people/settlers.ts'
import { wallets } from './people/wallets.ts'
import { createUniverse } from './world/universe.ts'

async function run(seed: number, keepsTrace: boolean): Promise<{ steps: number; faults: number; digest: string; lines: readonly string[]; violations: readonly string[]; ms: number }> {
  const universe = createUniverse({ seed, keepsTrace, filter: {} })
  const { driver, scheduler } = universe
  driver.chain.begin((frame) => { for (const wallet of wallets) mint(frame, deployment.owner, wallet.address, 1_000_000_000n) })
  const intents = createMemoryIntents(() => scheduler.now())
  const hosts = ['facilitator-1'].map((name) => universe.host(name, (host) => { facilitators.boot(host) }))
  const facilitators = createFacilitators({
    scheduler, random: universe.random.fork('stores'), faults: universe.faults, trace: universe.trace, storeShare: universe.weather.store, ask: universe.ask, intents, hosts,
    crash: universe.crash, settleWaitMs: 12_000,
  })
  for (const host of hosts) facilitators.boot(host)
  let open = 3
  for (let index = 0; index < 3; index += 1) void settle(universe, facilitators, index).catch((error: unknown) => { universe.violate(`a client fell over: ${String((error as Error).stack)}`) }).finally(() => { open -= 1 })
  scheduler.after(60_000, null, 'faults stop', () => { universe.faults.stop() })
  while (open > 0 && universe.violations.length === 0) {
    if (!scheduler.step()) { universe.violate('nothing can happen any more'); break }
    await new Promise((resolve) => { setImmediate(resolve) })
  }
  return { steps: scheduler.steps, faults: universe.faults.list.length, digest: universe.trace.digest(), lines: universe.trace.lines, violations: universe.violations, ms: scheduler.now() }
}

await loadFastKeccak()
const [first, last] = [Number(process.argv[2] ?? 1), Number(process.argv[3] ?? process.argv[2] ?? 1)]
if (first === last) {
  const { lines, ...rest } = await run(first, true)
  console.log(lines.join('\n'))
  console.log(rest)
} else {
  const startedAt = performance.now()
  let steps = 0
  for (let seed = first; seed <= last; seed += 1) {
    const one = await run(seed, false)
    steps += one.steps
    if (one.violations.length > 0) console.log(seed, one.violations.map((text) => text.slice(0, 200)))
  }
  const seconds = (performance.now() - startedAt) / 1000
  console.log(`${((last - first + 1) / seconds).toFixed(0)} seeds/s, ${(steps / (last - first + 1)).toFixed(0)} steps a seed, ${(seconds * 1e6 / steps).toFixed(1)} us a step`)
}
