import { Refusal } from '../errors.ts'
import type { Networks, ServedNetwork, ServedRegistries } from '../network/served-network.ts'
import { malformed, readText } from '../wire/read.ts'

export type RegistryTarget = {
  readonly network: ServedNetwork
  readonly registries: ServedRegistries
  readonly name: string
}

/** The network of an identity request, by short name or CAIP-2; it must have registries. */
export function readRegistryTarget(value: unknown, networks: Networks): RegistryTarget {
  const name = readText(value, 'network', 64)
  const network = networks.find(name)
  if (network?.registries === undefined)
    throw new Refusal('UnsupportedNetwork', `Network ${name} has no ERC-8004 registries here`)
  return { network, registries: network.registries, name }
}

/** As above, and the network must take new ratings (spec §4: one keeps readable history only). */
export function readRatingTarget(value: unknown, networks: Networks): RegistryTarget {
  const target = readRegistryTarget(value, networks)
  if (!target.registries.takesRatings)
    throw new Refusal('UnsupportedNetwork', `Network ${target.name} keeps ratings readable but takes no new ones`)
  return target
}

export const readAgentId = (value: unknown, path: string): bigint => readNumber(value, path, 256, 'an agent id')

/** Counts from one for each agent and who rated it; the registry keeps it in 64 bits. */
export const readFeedbackIndex = (value: unknown, path: string): bigint =>
  readNumber(value, path, 64, 'the index of a rating')

/** A number or a decimal string. */
function readNumber(value: unknown, path: string, bits: number, expected: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value === 'string' && /^(?:0|[1-9][0-9]{0,77})$/.test(value) && BigInt(value) >> BigInt(bits) === 0n)
    return BigInt(value)
  throw malformed(path, expected)
}
