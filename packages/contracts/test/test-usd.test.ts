import { describe, expect, test } from 'vitest'
import { concat, encodeAbiParameters, numberToHex, parseAbiParameters, parseSignature, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { compileTestContracts } from '../tools/compiler.ts'
import type { TestChain } from './chain.ts'
import { useLocalChain } from './local-chain.ts'
import { malleableTwin } from './malleable-twin.ts'
import {
  asPayer,
  asStranger,
  authorizationFields,
  payee,
  payer,
  stranger,
  tokenDomain,
  zeroAddress,
} from './payment.ts'

const chainOf = useLocalChain()
const maxUint256 = 2n ** 256n - 1n
let nonces = 0

type Primary = 'TransferWithAuthorization' | 'ReceiveWithAuthorization'
type Authorization = {
  readonly from: `0x${string}`
  readonly to: `0x${string}`
  readonly value: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: Hex
}

async function anAuthorization(chain: TestChain, overrides: Partial<Authorization> = {}): Promise<Authorization> {
  return {
    from: payer.address,
    to: payee.address,
    value: 5n,
    validAfter: 0n,
    validBefore: BigInt((await chain.now()) + 600),
    nonce: numberToHex(++nonces, { size: 32 }),
    ...overrides,
  }
}

function sign(primaryType: Primary, message: Authorization, signer: PrivateKeyAccount = payer): Promise<Hex> {
  return signer.signTypedData({
    domain: tokenDomain,
    types: { [primaryType]: authorizationFields },
    primaryType,
    message,
  })
}

const fields = (a: Authorization) => [a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce]

function vrs(signature: Hex): readonly unknown[] {
  const { r, s, yParity } = parseSignature(signature)
  return [27 + yParity, r, s]
}

const kinds: readonly (readonly [Primary, string])[] = [
  ['TransferWithAuthorization', 'transferWithAuthorization'],
  ['ReceiveWithAuthorization', 'receiveWithAuthorization'],
]

describe.each(kinds)('%s', (primary, functionName) => {
  test('moves the coins in both forms of the signature, once', async () => {
    const chain = chainOf()
    for (const form of ['bytes', 'vrs'] as const) {
      const authorization = await anAuthorization(chain)
      const signature = await sign(primary, authorization)
      const args = [...fields(authorization), ...(form === 'bytes' ? [signature] : vrs(signature))]
      const before = await chain.balanceOf(payee.address)
      await chain.write('TestUSD', functionName, args, { from: payee })
      expect(await chain.balanceOf(payee.address)).toBe(before + 5n)
      expect(await chain.read('TestUSD', 'authorizationState', [payer.address, authorization.nonce])).toBe(true)
      expect(await chain.revertOf('TestUSD', functionName, args, { from: payee })).toBe(
        'FiatTokenV2: authorization is used or canceled',
      )
    }
  })

  test('is valid after validAfter and before validBefore, both excluded', async () => {
    const chain = chainOf()
    const now = BigInt(await chain.now())
    const cases: readonly (readonly [bigint, bigint, number, 'success' | 'reverted'])[] = [
      [now + 100n, now + 200n, 100, 'reverted'],
      [now + 100n, now + 200n, 101, 'success'],
      [now + 100n, now + 200n, 199, 'success'],
      [now + 100n, now + 200n, 200, 'reverted'],
    ]
    for (const [validAfter, validBefore, second, outcome] of cases) {
      const authorization = await anAuthorization(chain, { validAfter, validBefore })
      const args = [...fields(authorization), await sign(primary, authorization)]
      expect(await chain.statusAt(Number(now) + second, 'TestUSD', functionName, args, { from: payee })).toBe(outcome)
    }
  })

  test('says what is wrong', async () => {
    const chain = chainOf()
    const good = await anAuthorization(chain)
    const { r, s, yParity } = parseSignature(await sign(primary, good))
    const malleable = malleableTwin(concat([r, s, yParity === 0 ? '0x1b' : '0x1c']))
    const wrongV = concat([r, s, '0x1d'])
    const future = await anAuthorization(chain, { validAfter: good.validBefore })
    const past = await anAuthorization(chain, { validBefore: 1n })
    const large = await anAuthorization(chain, { value: maxUint256 })
    const cases: readonly (readonly [string, Authorization, Hex])[] = [
      ['FiatTokenV2: authorization is not yet valid', future, await sign(primary, future)],
      ['FiatTokenV2: authorization is expired', past, await sign(primary, past)],
      ['FiatTokenV2: invalid signature', good, await sign(primary, good, stranger)],
      ['FiatTokenV2: invalid signature', { ...good, value: 6n }, await sign(primary, good)],
      ['ECRecover: invalid signature length', good, '0x1234'],
      ["ECRecover: invalid signature 's' value", good, malleable],
      ["ECRecover: invalid signature 'v' value", good, wrongV],
      ['ECRecover: invalid signature', good, `0x${'00'.repeat(64)}1b`],
      ['ERC20: transfer amount exceeds balance', large, await sign(primary, large)],
    ]
    for (const [message, authorization, signature] of cases) {
      const args = [...fields(authorization), signature]
      expect(await chain.revertOf('TestUSD', functionName, args, { from: payee })).toBe(message)
    }
  })

  test('of a contract wallet is judged by the wallet, however long the signature', async () => {
    const chain = chainOf()
    const { ContractWallet } = await compileTestContracts()
    if (ContractWallet === undefined) throw new Error('The test contract is gone.')
    const wallet = await chain.deploy(ContractWallet, [payer.address])
    await chain.mint(wallet, 9n)
    const authorization = await anAuthorization(chain, { from: wallet })
    const { r, s, yParity } = parseSignature(await sign(primary, authorization))
    const parts = parseAbiParameters('bytes32, bytes32, uint8, string')
    const wrap = (note: string) => encodeAbiParameters(parts, [r, s, 27 + yParity, note])
    const before = await chain.balanceOf(payee.address)
    expect(
      await chain.revertOf('TestUSD', functionName, [...fields(authorization), wrap('other')], { from: payee }),
    ).toBe('FiatTokenV2: invalid signature')
    await chain.write('TestUSD', functionName, [...fields(authorization), wrap('wallet')], { from: payee })
    expect(await chain.balanceOf(payee.address)).toBe(before + 5n)
  })
})

test('receiveWithAuthorization is for the payee alone, and neither form serves the other purpose', async () => {
  const chain = chainOf()
  const authorization = await anAuthorization(chain)
  const receive = [...fields(authorization), await sign('ReceiveWithAuthorization', authorization)]
  const transfer = [...fields(authorization), await sign('TransferWithAuthorization', authorization)]
  expect(await chain.revertOf('TestUSD', 'receiveWithAuthorization', receive, asStranger)).toBe(
    'FiatTokenV2: caller must be the payee',
  )
  expect(await chain.revertOf('TestUSD', 'transferWithAuthorization', receive, asStranger)).toBe(
    'FiatTokenV2: invalid signature',
  )
  expect(await chain.revertOf('TestUSD', 'receiveWithAuthorization', transfer, { from: payee })).toBe(
    'FiatTokenV2: invalid signature',
  )
})

test('a canceled authorization moves nothing', async () => {
  const chain = chainOf()
  const types = {
    CancelAuthorization: [
      { name: 'authorizer', type: 'address' },
      { name: 'nonce', type: 'bytes32' },
    ],
  } as const
  for (const form of ['bytes', 'vrs'] as const) {
    const authorization = await anAuthorization(chain)
    const message = { authorizer: payer.address, nonce: authorization.nonce }
    const cancel = async (signer: PrivateKeyAccount) => {
      const signature = await signer.signTypedData({
        domain: tokenDomain,
        types,
        primaryType: 'CancelAuthorization',
        message,
      })
      return [payer.address, authorization.nonce, ...(form === 'bytes' ? [signature] : vrs(signature))]
    }
    expect(await chain.revertOf('TestUSD', 'cancelAuthorization', await cancel(stranger), asStranger)).toBe(
      'FiatTokenV2: invalid signature',
    )
    await chain.write('TestUSD', 'cancelAuthorization', await cancel(payer), asStranger)
    const args = [...fields(authorization), await sign('TransferWithAuthorization', authorization)]
    expect(await chain.revertOf('TestUSD', 'transferWithAuthorization', args, asStranger)).toBe(
      'FiatTokenV2: authorization is used or canceled',
    )
    expect(await chain.revertOf('TestUSD', 'cancelAuthorization', await cancel(payer), asStranger)).toBe(
      'FiatTokenV2: authorization is used or canceled',
    )
  }
})

test('a permit allows spending, in both forms, once and in time', async () => {
  const chain = chainOf()
  const types = {
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  } as const
  const permit = async (form: 'bytes' | 'vrs', deadline: bigint) => {
    // nonces answers one uint256.
    const nonce = (await chain.read('TestUSD', 'nonces', [payer.address])) as bigint
    const message = { owner: payer.address, spender: stranger.address, value: 7n, nonce, deadline }
    const signature = await payer.signTypedData({ domain: tokenDomain, types, primaryType: 'Permit', message })
    return [payer.address, stranger.address, 7n, deadline, ...(form === 'bytes' ? [signature] : vrs(signature))]
  }
  for (const form of ['bytes', 'vrs'] as const) {
    const args = await permit(form, maxUint256)
    await chain.write('TestUSD', 'permit', args, asStranger)
    expect(await chain.read('TestUSD', 'allowance', [payer.address, stranger.address])).toBe(7n)
    expect(await chain.revertOf('TestUSD', 'permit', args, asStranger)).toBe('EIP2612: invalid signature')
  }
  await chain.write('TestUSD', 'transferFrom', [payer.address, payee.address, 3n], asStranger)
  expect(await chain.read('TestUSD', 'allowance', [payer.address, stranger.address])).toBe(4n)
  expect(await chain.revertOf('TestUSD', 'transferFrom', [payer.address, payee.address, 5n], asStranger)).toBe(
    'ERC20: transfer amount exceeds allowance',
  )
  expect(await chain.revertOf('TestUSD', 'permit', await permit('bytes', 1n), asStranger)).toBe(
    'FiatTokenV2: permit is expired',
  )
  const last = (await chain.now()) + 50
  expect(await chain.statusAt(last, 'TestUSD', 'permit', await permit('bytes', BigInt(last)), asStranger)).toBe(
    'success',
  )
  expect(await chain.statusAt(last + 1, 'TestUSD', 'permit', await permit('bytes', BigInt(last)), asStranger)).toBe(
    'reverted',
  )
})

test('allowances grow and shrink, and an endless one stays', async () => {
  const chain = chainOf()
  await chain.write('TestUSD', 'approve', [stranger.address, 10n], asPayer)
  await chain.write('TestUSD', 'increaseAllowance', [stranger.address, 5n], asPayer)
  await chain.write('TestUSD', 'decreaseAllowance', [stranger.address, 1n], asPayer)
  expect(await chain.read('TestUSD', 'allowance', [payer.address, stranger.address])).toBe(14n)
  expect(await chain.revertOf('TestUSD', 'decreaseAllowance', [stranger.address, 15n], asPayer)).toBe(
    'ERC20: decreased allowance below zero',
  )
  await chain.write('TestUSD', 'transferFrom', [payer.address, payee.address, 14n], asStranger)
  expect(await chain.read('TestUSD', 'allowance', [payer.address, stranger.address])).toBe(0n)
  await chain.write('TestUSD', 'approve', [stranger.address, 2n], asPayer)
  await chain.write('TestUSD', 'decreaseAllowance', [stranger.address, 2n], asPayer)
  await chain.write('TestUSD', 'approve', [stranger.address, maxUint256], asPayer)
  await chain.write('TestUSD', 'transferFrom', [payer.address, payee.address, 1n], asStranger)
  expect(await chain.read('TestUSD', 'allowance', [payer.address, stranger.address])).toBe(maxUint256)
})

test('only the owner mints, something, to an account; and nothing moves to nobody', async () => {
  const chain = chainOf()
  const supply = await chain.read('TestUSD', 'totalSupply')
  expect(await chain.revertOf('TestUSD', 'mint', [payer.address, 1n], asPayer)).toBe(
    'FiatToken: caller is not a minter',
  )
  expect(await chain.revertOf('TestUSD', 'mint', [zeroAddress, 1n])).toBe('FiatToken: mint to the zero address')
  expect(await chain.revertOf('TestUSD', 'mint', [payer.address, 0n])).toBe('FiatToken: mint amount not greater than 0')
  expect(await chain.revertOf('TestUSD', 'transfer', [zeroAddress, 1n], asPayer)).toBe(
    'ERC20: transfer to the zero address',
  )
  expect(await chain.revertOf('TestUSD', 'transferFrom', [zeroAddress, payee.address, 0n], asPayer)).toBe(
    'ERC20: transfer from the zero address',
  )
  expect(await chain.revertOf('TestUSD', 'approve', [zeroAddress, 1n], asPayer)).toBe(
    'ERC20: approve to the zero address',
  )
  expect(await chain.revertOf('TestUSD', 'transfer', [payee.address, 1n], asStranger)).toBe(
    'ERC20: transfer amount exceeds balance',
  )
  await chain.write('TestUSD', 'transfer', [stranger.address, 3n], asPayer)
  await chain.write('TestUSD', 'transfer', [payer.address, 3n], asStranger)
  expect(await chain.balanceOf(stranger.address)).toBe(0n)
  expect(await chain.read('TestUSD', 'totalSupply')).toBe(supply)
})
