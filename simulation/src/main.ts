import { enableCompileCache } from 'node:module'
import process from 'node:process'
import { keepPlatform } from './machine/close-platform.ts'
import { idealCurveReplacement, replaceSources } from './machine/replace-sources.ts'
import { readArguments, type Wish } from './run/arguments.ts'

// Whoever started this may have closed its end; there is nobody to tell then, and the exit code stays true.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

async function run(wish: Wish): Promise<number> {
  const kept = keepPlatform()
  const { mutants } = await import('./mutants/mutants.ts')
  if (wish.mutants) {
    const { huntMutants } = await import('./mutants/hunt.ts')
    return huntMutants({
      most: wish.to,
      workers: wish.workers,
      out: wish.out,
      say: (text) => {
        process.stdout.write(`${text}\n`)
      },
    })
  }
  const planted = wish.mutant === undefined ? undefined : mutants.find(({ name }) => name === wish.mutant)
  if (wish.mutant !== undefined && planted === undefined)
    throw new Error(`there is no planted bug ${wish.mutant}; there are ${mutants.map(({ name }) => name).join(', ')}`)
  const replacements = [...(wish.realSignatures ? [] : [idealCurveReplacement]), ...(planted?.replacements ?? [])]
  // What is loaded from here on is the product as it is, but for these pieces.
  const replaced = replaceSources(replacements)
  const { simulate } = await import('./run/simulate.ts')
  const missed = replacements.find(({ file }) => !replaced.has(file))
  if (missed !== undefined) throw new Error(`stale replacement: nothing loads ${missed.file}`)
  return simulate(wish, kept)
}

function readWish(words: readonly string[]): Wish | undefined {
  try {
    return readArguments(words)
  } catch (error) {
    process.stderr.write(`simulate: ${error instanceof Error ? error.message : String(error)}\n`)
    return undefined
  }
}

// A process of its own for each planted bug and each part of the seeds: what was compiled once is not compiled again. A
// replaced source is another text, and has another entry.
enableCompileCache()
const wish = readWish(process.argv.slice(2))
process.exitCode = wish === undefined ? 1 : await run(wish)
