import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { localChainId } from '../src/index.ts'
import { rpcCall } from '../src/json-rpc.ts'

/** A chain of its own for one test file; disposing of it ends the process. */
export type Anvil = AsyncDisposable & { readonly rpcUrl: string }

const startDeadlineMs = 15_000

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  return address.port
}

/** Starts a chain with the development accounts and returns when it answers. */
export async function startAnvil(flags: readonly string[] = [], chainId = localChainId): Promise<Anvil> {
  const port = await findFreePort()
  const rpcUrl = `http://127.0.0.1:${port}`
  const binary = createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/bin/anvil')
  const child = spawn(
    binary,
    [
      '--port',
      String(port),
      '--chain-id',
      String(chainId),
      '--hardfork',
      'prague',
      '--base-fee',
      '0',
      '--quiet',
      ...flags,
    ],
    { stdio: 'ignore' },
  )
  const exited = once(child, 'exit')
  for (const deadline = Date.now() + startDeadlineMs; ; await delay(10)) {
    const isUp = await rpcCall(rpcUrl, 'eth_chainId', []).then(
      () => true,
      () => false,
    )
    if (isUp) break
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('The chain did not start.')
  }
  return {
    rpcUrl,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
