import { startFaucet } from '../faucet/faucet.ts'
import { freePort } from '../ports.ts'
import { ensureWebBuilt } from '../web/ensure-web-built.ts'
import type { ConstellationOptions } from './options.ts'
import type { PortPlan } from './port-plan.ts'
import type { ServiceSurroundings } from './services.ts'
import type { Undo } from './undo.ts'

const preferredPort = 4024

/** The built app that the server is to serve; undefined when none is asked for or the project has none. */
export async function webFolder({ web = false, services }: ConstellationOptions): Promise<string | undefined> {
  if (web === false || services === 'none') return undefined
  return web === true ? ensureWebBuilt() : web.dir
}

type Around = {
  readonly options: ConstellationOptions
  readonly plan: PortPlan
  readonly rpcUrl: string
  readonly solana?: Parameters<typeof startFaucet>[0]['solana']
  readonly undo: Undo
}

/** The faucet comes with the app: nobody else asks it for anything. */
export async function startWeb(
  dir: string | undefined,
  { options, plan, rpcUrl, solana, undo }: Around,
): Promise<ServiceSurroundings['web']> {
  if (dir === undefined) return undefined
  const port = await freePort(options.ephemeral === true ? 0 : preferredPort, new Set(Object.values(plan)))
  // The two names of this machine stand for the same service.
  const origins = ['127.0.0.1', 'localhost'].map((host) => `http://${host}:${String(plan.server)}`)
  const faucet = await startFaucet({ rpcUrl, solana, port, origins })
  undo.push(async () => {
    await faucet[Symbol.asyncDispose]()
  })
  return { dir, faucetUrl: faucet.url }
}
