import { freePort } from '../ports.ts'
import type { ConstellationOptions, Part } from './options.ts'

export type PortPlan = Readonly<Record<Part, number>>

const PREFERRED: PortPlan = { server: 4020, facilitator: 4021, chain: 4022, postgres: 4023, solana: 4024 }

/** A port for each part: the preferred one, or the next free one that no other part prefers. */
export async function choosePorts(options: Pick<ConstellationOptions, 'ephemeral' | 'ports'>): Promise<PortPlan> {
  const wanted: PortPlan = {
    ...(options.ephemeral === true ? { server: 0, facilitator: 0, chain: 0, postgres: 0, solana: 0 } : PREFERRED),
    ...options.ports,
  }
  const chosen = new Map<Part, number>()
  const choose = async (part: Part): Promise<number> => {
    const others = Object.entries(wanted)
      .filter(([name]) => name !== part)
      .map(([, port]) => port)
      .filter((port) => port !== 0)
    const port = await freePort(wanted[part], new Set([...others, ...chosen.values()]))
    chosen.set(part, port)
    return port
  }
  // One after the other: each must know what the ones before it took.
  const server = await choose('server')
  const facilitator = await choose('facilitator')
  const chain = await choose('chain')
  const postgres = await choose('postgres')
  return { server, facilitator, chain, postgres, solana: await choose('solana') }
}
