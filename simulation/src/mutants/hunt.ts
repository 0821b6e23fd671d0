import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { mutants } from './mutants.ts'
import type { Hunt, Mutant, MutantReport } from './mutant.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** A process of its own for each: a planted bug is loaded with the sources. */
function hunt(mutant: Mutant, most: number): Promise<Hunt> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [...process.execArgv, main, '--mutant', mutant.name, '--seeds', `1..${String(most)}`, '--json'],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    let [output, trouble] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      trouble += chunk.toString('utf8')
    })
    child.on('error', reject)
    child.on('close', (code) => {
      const last = output.trim().split('\n').at(-1) ?? ''
      if (code === null || code > 1 || !last.startsWith('{')) {
        reject(new Error(`the hunt for ${mutant.name} broke off: ${trouble.slice(0, 2_000)}`))
        return
      }
      // Our own last line.
      const { first, violation } = JSON.parse(last) as { first: number | null; violation: string | null }
      resolve({ mutant: mutant.name, what: mutant.what, seeds: first, violation })
    })
  })
}

/** Plants every bug in turn and counts the seeds until it is found. */
export async function huntMutants(options: {
  readonly most: number
  readonly workers: number
  readonly out: string | undefined
  readonly say: (text: string) => void
}): Promise<number> {
  const hunts: Hunt[] = []
  const waiting = mutants.values()
  const lane = async (): Promise<void> => {
    for (const mutant of waiting) {
      const one = await hunt(mutant, options.most)
      hunts.push(one)
      options.say(
        `${one.seeds === null ? 'NOT FOUND' : `found by seed ${String(one.seeds)}`.padEnd(20)}  ${mutant.name}: ${one.violation ?? ''}`,
      )
    }
  }
  await Promise.all(Array.from({ length: options.workers }, lane))
  const order = mutants.map(({ name }) => name)
  const report: MutantReport = {
    most: options.most,
    hunts: hunts.toSorted((one, other) => order.indexOf(one.mutant) - order.indexOf(other.mutant)),
  }
  if (options.out !== undefined) writeFileSync(options.out, `${JSON.stringify(report, undefined, 2)}\n`)
  const missed = hunts.filter(({ seeds }) => seeds === null).length
  options.say(`${String(hunts.length - missed)} of ${String(hunts.length)} planted bugs found`)
  return missed === 0 ? 0 : 1
}
