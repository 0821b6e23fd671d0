import { artifacts, type AbiEntry, type ContractName } from '@ergon/contracts'
import { keccak256Hex, utf8, type Hex } from '@ergon/protocols'

type Parameter = { readonly type: string; readonly components?: readonly Parameter[] }

/** `(address,uint256)[]` and the like: the canonical type of a parameter. */
function typeOf({ type, components }: Parameter): string {
  return components === undefined ? type : `(${components.map(typeOf).join(',')})${type.slice('tuple'.length)}`
}

function signatureOf(entry: AbiEntry): string {
  // A compiled ABI lists the parameters of every function, event and error.
  const inputs = (entry['inputs'] ?? []) as readonly Parameter[]
  return `${entry.name ?? ''}(${inputs.map(typeOf).join(',')})`
}

const contracts: readonly ContractName[] = ['TestUSD', 'Escrow', 'Eip3009Collector', 'Operator']
const hashes = new Map<string, Hex>()

for (const name of contracts) {
  for (const entry of artifacts[name].abi) {
    if (entry.name === undefined) continue
    const signature = signatureOf(entry)
    const hash = keccak256Hex(utf8(signature))
    hashes.set(`${name}.${entry.type}.${signature}`, hash)
    // The short name serves where there is no overload.
    const short = `${name}.${entry.type}.${entry.name}`
    if (!hashes.has(short)) hashes.set(short, hash)
  }
}

function hashOf(name: string): Hex {
  const hash = hashes.get(name)
  if (hash === undefined) throw new Error(`the contracts have no ${name}`)
  return hash
}

/** Topic 0 of an event, taken from the compiled contract. */
export function topicOf(contract: ContractName, event: string): Hex {
  return hashOf(`${contract}.event.${event}`)
}

/** The selector of an error. */
export function errorOf(contract: ContractName, error: string): Hex {
  return selector(hashOf(`${contract}.error.${error}`))
}

/** The selector of a function; overloads are named by their full signature. */
export function selectorOf(contract: ContractName, name: string): Hex {
  return selector(hashOf(`${contract}.function.${name}`))
}

function selector(hash: Hex): Hex {
  // The first four bytes keep the prefix.
  return hash.slice(0, 10) as Hex
}
