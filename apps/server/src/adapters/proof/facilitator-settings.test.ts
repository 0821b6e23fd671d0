import { networks } from '@ergon/protocols'
import { expect, test } from 'vitest'
import { differences, type Relied } from './facilitator-settings.ts'

const { localnet: row } = networks
const signer = `0x${'11'.repeat(20)}` as const
const treasury = `0x${'22'.repeat(20)}` as const
const stranger = `0x${'33'.repeat(20)}`

const escrow = {
  escrow: row.escrow?.escrow,
  token_collector: row.escrow?.collector,
  operator: row.escrow?.operator,
  operator_abi: row.escrow?.operatorAbi,
  treasury,
}
const served = {
  network: 'localnet',
  chain_id: 31_337,
  tokens: Object.values(row.tokens).map(({ address }) => address),
  escrow,
  registries: { identity: row.erc8004?.identity, reputation: row.erc8004?.reputation },
}
const said = { lifecycle_mode: 'enforce', order_delegates: [signer.toUpperCase()], networks: [served] }
const relied: Relied = { orderSigner: signer, networks: [{ row, treasury }] }

test('what agrees is not spoken of, whatever its letters', () => {
  expect(differences(relied, said)).toEqual([])
})

test('a facilitator of others that says nothing of itself is taken as it is', () => {
  expect(differences(relied, {})).toEqual([])
})

test('a network that the facilitator cannot prove yet is no difference', () => {
  const others = { ...said, networks: [{ ...served, network: 'base' }] }
  expect(differences(relied, { ...others, silent_networks: ['localnet'] })).toEqual([])
  expect(differences(relied, { ...others, silent_networks: ['polygon'] })).toHaveLength(1)
})

test('the owner of the operator needs to be nobody else to order', () => {
  expect(
    differences({ orderSigner: treasury, networks: [{ row, treasury }] }, { ...said, order_delegates: [] }),
  ).toEqual([])
})

test.each([
  [{ order_delegates: [] }, /takes no orders from 0x1111.* FACILITATOR_ORDER_DELEGATES/],
  [{ order_delegates: [stranger] }, /takes no orders from/],
  [{ networks: [{ ...served, chain_id: 1 }] }, /another chain id on localnet \(1, here 31337\)/],
  [{ networks: [{ ...served, network: 'base' }] }, /does not serve localnet/],
  [{ networks: [{ ...served, escrow: { ...escrow, escrow: stranger } }] }, /another escrow contract on localnet/],
  [{ networks: [{ ...served, escrow: { ...escrow, operator: stranger } }] }, /another operator contract/],
  [
    {
      networks: [
        { ...served, escrow: { ...escrow, operator_abi: row.escrow?.operatorAbi === 'legacy' ? 'create3' : 'legacy' } },
      ],
    },
    /another operator generation/,
  ],
  [{ networks: [{ ...served, escrow: { ...escrow, treasury: stranger } }] }, /another treasury on localnet/],
  [{ networks: [{ ...served, escrow: null }] }, /another escrow contract on localnet \(none/],
  [
    { networks: [{ ...served, registries: { ...served.registries, identity: stranger } }] },
    /another identity registry/,
  ],
  [{ networks: [{ ...served, tokens: [stranger] }] }, /does not settle \w+ 0x/],
] as const)('%# a difference is a sentence', (change, sentence) => {
  const found = differences(relied, { ...said, ...change })
  expect(found.length).toBeGreaterThan(0)
  expect(found.join('\n')).toMatch(sentence)
})
