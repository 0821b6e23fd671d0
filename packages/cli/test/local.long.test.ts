import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { commands } from '../src/index.ts'
import { readKeystore, openKey, sealKey } from '../src/profile/keystore.ts'
import { openTerminal } from './binary.ts'

const terminal = openTerminal()
afterAll(() => {
  terminal[Symbol.dispose]()
})
const nowhere = 'http://127.0.0.1:9'
const task = {
  title: 'Photograph the notice board',
  instructions: 'Take one photo of the notice board at the town hall and send it.',
  category: 'simple_action',
  bounty_usd: 1,
  evidence_required: ['photo'],
}

const vector = {
  version: 3,
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  address: '008aeeda4d805471df9b2a5b0f38a0c3bcba786b',
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
}

test('init makes a key file that only its owner reads and that never shows the key', async () => {
  const { code, data } = await terminal.json<{ address: string; key_file: string }>([
    'init',
    '--url',
    nowhere,
    '--network',
    'localnet',
  ])
  expect(code).toBe(0)
  expect(statSync(data.key_file).mode & 0o777).toBe(0o600)
  expect(statSync(join(terminal.home, 'ergon', 'config.json')).mode & 0o777).toBe(0o600)
  const file = readFileSync(data.key_file, 'utf8')
  const key = await openKey(readKeystore(file), 'correct horse battery')
  expect(key).toMatch(/^0x[0-9a-f]{64}$/)
  const again = await terminal.run(['config', 'show'])
  for (const text of [
    file,
    again.out,
    readFileSync(join(terminal.home, 'ergon', 'config.json'), 'utf8'),
    JSON.stringify(data),
  ])
    expect(text).not.toContain(key.slice(2))
})

test('a key file of another tool opens: the vector of the version 3 format', async () => {
  expect(await openKey(readKeystore(JSON.stringify(vector)), 'testpassword')).toBe(
    '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d',
  )
})

test('init takes a key that is there: digits are sealed, a key file stays sealed as it is, and what does not open is not kept', async () => {
  const digits = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
  writeFileSync(join(terminal.home, 'digits'), `0x${digits}\n`)
  writeFileSync(join(terminal.home, 'other.json'), JSON.stringify(vector))
  writeFileSync(join(terminal.home, 'zero'), '0'.repeat(64))
  const sealed = await terminal.json<{ address: string; key_file: string }>([
    'init',
    '--profile',
    'digits',
    '--import',
    'digits',
  ])
  expect(sealed).toMatchObject({
    code: 0,
    data: { address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', signer: 'file' },
  })
  expect(readFileSync(sealed.data.key_file, 'utf8')).not.toContain(digits)
  expect(await openKey(readKeystore(readFileSync(sealed.data.key_file, 'utf8')), 'correct horse battery')).toBe(
    `0x${digits}`,
  )
  const taken = await terminal.json<{ key_file: string }>(['init', '--profile', 'other', '--import', 'other.json'], {
    env: { ERGON_PASSPHRASE: 'testpassword' },
  })
  expect(taken).toMatchObject({ code: 0, data: { address: '0x008aeeda4d805471df9b2a5b0f38a0c3bcba786b' } })
  expect(JSON.parse(readFileSync(taken.data.key_file, 'utf8'))).toEqual(vector)
  expect(await terminal.json(['init', '--profile', 'wrong', '--import', 'other.json'])).toMatchObject({
    code: 10,
    error: { code: 'WRONG_PASSPHRASE' },
  })
  for (const path of ['zero', 'none.json'])
    expect(await terminal.json(['init', '--profile', 'wrong', '--import', path]), path).toMatchObject({
      code: 2,
      error: { code: 'USAGE' },
    })
  expect(await terminal.json(['whoami', '--profile', 'wrong'])).toMatchObject({
    code: 10,
    error: { code: 'NO_PROFILE' },
  })
})

test('a changed byte of the key file is noticed', async () => {
  const sealed = await sealKey(`0x${'11'.repeat(32)}`, 'p')
  const { ciphertext } = sealed.crypto
  const changed = {
    ...sealed,
    crypto: { ...sealed.crypto, ciphertext: `${ciphertext.startsWith('0') ? '1' : '0'}${ciphertext.slice(1)}` },
  }
  await expect(openKey(changed, 'p')).rejects.toMatchObject({ code: 'WRONG_PASSPHRASE' })
})

test.each([
  ['an unknown command', ['fly'], 2, 'USAGE'],
  ['an unknown option', ['task', 'list', '--nope'], 2, 'USAGE'],
  ['a missing argument', ['task', 'show'], 2, 'USAGE'],
  ['a word too many', ['whoami', 'again'], 2, 'USAGE'],
  ['a file that is not there', ['task', 'publish', '-f', 'none.yaml', '--dry-run'], 2, 'USAGE'],
  ['a second init', ['init'], 12, 'PROFILE_EXISTS'],
  ['no profile', ['whoami', '--profile', 'nobody'], 10, 'NO_PROFILE'],
  ['a service that does not answer', ['task', 'list', '--url', nowhere], 16, 'unreachable'],
] as const)('%s ends with its number, what happened and what to do', async (_, line, exit, code) => {
  const { out, err, code: ended } = await terminal.run([...line, '--json'])
  expect([ended, JSON.parse(out)]).toMatchObject([exit, { ok: false, exit_code: exit, error: { code } }])
  expect(err).toContain(`code: ${code}`)
  expect(err).toContain('do: ')
  expect(err).not.toContain('    at ')
})

test('a wrong passphrase ends with 10 and tells nothing of the key', async () => {
  const wrong = await terminal.json(['task', 'list', '--mine'], {
    env: { ERGON_PASSPHRASE: 'wrong', ERGON_URL: nowhere },
  })
  // The chain of the signature is asked first; without a service nothing is opened.
  expect([10, 16]).toContain(wrong.code)
})

test.each([
  [
    'yaml',
    'title: Photograph the notice board\ninstructions: Take one photo of the notice board at the town hall and send it.\ncategory: simple_action\nbounty_usd: 1\nevidence_required: [photo]\n',
  ],
  ['json', JSON.stringify(task)],
])('a dry run holds a %s file against the rules and says the cost, sending nothing', async (kind, text) => {
  writeFileSync(join(terminal.home, `task.${kind}`), text)
  expect(await terminal.json(['task', 'publish', '-f', `task.${kind}`, '--dry-run'])).toMatchObject({
    code: 0,
    ok: true,
    data: {
      dry_run: true,
      payout_usd: 0.87,
      fee_usd: 0.13,
      sell_intent: 'none',
      task: { ...task, payment_network: 'localnet' },
    },
  })
})

test('a dry run of what the service would refuse as an offer to sell is refused too, unless its writer insists', async () => {
  const offer = { ...task, title: 'I will draw your logo', instructions: 'I will draw your logo in a day. Order now.' }
  const tried = (fields: object) =>
    terminal.json(['task', 'publish', '-f', '-', '--dry-run'], { input: JSON.stringify(fields) })
  expect(await tried(offer)).toMatchObject({ code: 13, ok: false, error: { code: 'sell_intent_rejected' } })
  expect(await tried({ ...offer, insist: 'sell_intent' })).toMatchObject({
    code: 0,
    data: { valid: true, sell_intent: 'none' },
  })
})

test('a field that breaks its rule ends with 13 and is named', async () => {
  const answer = await terminal.json(['task', 'publish', '-f', '-', '--dry-run'], {
    input: JSON.stringify({ ...task, bounty_usd: 'one', colour: 'red' }),
  })
  expect(answer).toMatchObject({ code: 13, ok: false, error: { code: 'VALIDATION_FAILED' } })
  expect(answer.error.message).toContain('bounty_usd')
})

test.each([-1, 0, 0.009, 1e-7, 1.1234567])(
  'a dry run of a bounty of %s says that nobody takes it',
  async (bounty_usd) => {
    const answer = await terminal.json(['task', 'publish', '-f', '-', '--dry-run'], {
      input: JSON.stringify({ ...task, bounty_usd }),
    })
    expect(answer).toMatchObject({ code: 13, ok: false, error: { code: 'INVALID_BOUNTY' } })
  },
)

test('every command says what it takes', async () => {
  const { code, out } = await terminal.run(['--help'])
  expect(code).toBe(0)
  for (const { words, about } of commands) {
    expect(out).toContain(words.join(' '))
    expect(out).toContain(about)
  }
})
