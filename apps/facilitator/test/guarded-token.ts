import { addresses } from '../src/testing/payments.ts'
import { rpc } from './harness-env.ts'

const implementation = `0x${'1d'.repeat(20)}`

export type GuardedToken = {
  list(account: string, isListed: boolean): Promise<unknown>
  pause(isPaused: boolean): Promise<unknown>
}

/**
 * The token of the local chain behind a guard, as the dollar coin of the real networks has one: what moves money by
 * authorization is refused for a listed payer or payee, and for everybody while the token is paused.
 */
export async function guardToken(rpcUrl: string): Promise<GuardedToken> {
  await rpc(rpcUrl, 'anvil_setCode', [implementation, await rpc(rpcUrl, 'eth_getCode', [addresses.token, 'latest'])])
  await rpc(rpcUrl, 'anvil_setCode', [addresses.token, guardCode])
  const set = (slot: string, value: boolean): Promise<unknown> =>
    rpc(rpcUrl, 'anvil_setStorageAt', [addresses.token, slot, `0x${(value ? '1' : '0').padStart(64, '0')}`])
  return {
    list: (account, isListed) => set(`0x${account.slice(2).toLowerCase().padStart(64, '0')}`, isListed),
    pause: (isPaused) => set(`0x${'ff'.repeat(32)}`, isPaused),
  }
}

type Piece = { readonly label?: string; readonly code?: string; readonly jumpTo?: string }

/** Storage at an address says whether it is listed, storage at the highest slot whether the token is paused. */
const guardCode = assemble([
  // Whatever is shorter than a transfer by authorization is passed on.
  { code: '60653610', jumpTo: 'pass' },
  { code: '600435546024355417', jumpTo: 'listed' },
  { code: '5f1954', jumpTo: 'paused' },
  { label: 'pass', code: `365f5f375f5f365f73${implementation.slice(2)}5af43d5f5f3e`, jumpTo: 'done' },
  { code: '3d5ffd' },
  { label: 'done', code: '3d5ff3' },
  { label: 'listed', code: revertCode('Blacklistable: account is blacklisted') },
  { label: 'paused', code: revertCode('Pausable: paused') },
])

function assemble(pieces: readonly Piece[]): string {
  const sizeOf = ({ label, code = '', jumpTo }: Piece): number =>
    (label === undefined ? 0 : 1) + code.length / 2 + (jumpTo === undefined ? 0 : 4)
  const offsets = new Map<string, number>()
  pieces.reduce((offset, piece) => {
    if (piece.label !== undefined) offsets.set(piece.label, offset)
    return offset + sizeOf(piece)
  }, 0)
  const jump = (to: string): string => `61${(offsets.get(to) ?? 0).toString(16).padStart(4, '0')}57`
  return `0x${pieces
    .map(
      ({ label, code = '', jumpTo }) =>
        (label === undefined ? '' : '5b') + code + (jumpTo === undefined ? '' : jump(jumpTo)),
    )
    .join('')}`
}

/** Stores `Error(text)` word by word and reverts with it. */
function revertCode(text: string): string {
  const words =
    Buffer.from(text)
      .toString('hex')
      .match(/.{1,64}/g) ?? []
  const data = `08c379a0${(32).toString(16).padStart(64, '0')}${text.length.toString(16).padStart(64, '0')}${words
    .map((word) => word.padEnd(64, '0'))
    .join('')}`
  const chunks = data.match(/.{1,64}/g) ?? []
  const stores = chunks.map(
    (chunk, index) => `7f${chunk.padEnd(64, '0')}60${(index * 32).toString(16).padStart(2, '0')}52`,
  )
  return `${stores.join('')}60${(data.length / 2).toString(16).padStart(2, '0')}5ffd`
}
