import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { localChainId } from '../src/index.ts'

/** A chain of its own for one test file; disposing of it ends the process. */
export type Anvil = AsyncDisposable & { readonly rpcUrl: string }

const startDeadlineMs = 15_000

/** It chooses its port itself, and says which when it answers; what it says later is read and dropped. */
function addressOf(output: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      reject(new Error('The chain did not start.'))
    }
    AbortSignal.timeout(startDeadlineMs).addEventListener('abort', fail)
    createInterface({ input: output })
      .on('line', (line) => {
        const [, address] = /^Listening on (\S+)$/.exec(line) ?? []
        if (address !== undefined) resolve(address)
      })
      .once('close', fail)
  })
}

/** Starts a chain with the development accounts and returns when it answers. */
export async function startAnvil(flags: readonly string[] = [], chainId = localChainId): Promise<Anvil> {
  const binary = createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/bin/anvil')
  const child = spawn(
    binary,
    ['--port', '0', '--chain-id', String(chainId), '--hardfork', 'prague', '--base-fee', '0', ...flags],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const exited = once(child, 'exit')
  const rpcUrl = `http://${await addressOf(child.stdout)}`
  return {
    rpcUrl,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
