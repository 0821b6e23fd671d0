import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { cannotListen, givenOf, httpUrlsOf, logLevelFault, secretOf, writtenFault } from '../src/index.ts'

const refuse = (sentence: string): Error => new Error(sentence)

test('an empty value is none, and the space around one is no part of it', () => {
  expect(givenOf({ A: 'a', B: '', C: undefined, D: ' ', E: ' /var/lib/ergon\r\n' })).toEqual({
    A: 'a',
    E: '/var/lib/ergon',
  })
})

test.each([
  [{ X_DATA_DIR: '"/var/lib/ergon"' }, 'X_DATA_DIR has quotes around it'],
  [{ X_SECRET: "'hidden' # of mine" }, 'X_SECRET has quotes around it'],
  [{ X_DATA_DIR: '/var/lib/ergon # evidence' }, 'X_DATA_DIR has a # behind a space'],
  [{ X_SECRET: 'hidden\t#mine' }, 'X_SECRET has a # behind a space'],
  [{ X_DATA_DIR: '~/ergon' }, 'X_DATA_DIR begins with ~ or $'],
  [{ X_KEY_FILE: '$HOME/key' }, 'X_KEY_FILE begins with ~ or $'],
  [{ DATABASE_URL: '"postgres://ergon:hidden@127.0.0.1/ergon"' }, 'DATABASE_URL has quotes around it'],
  [{ 'export X_SECRET': 'hidden' }, '"export X_SECRET" is no name of a setting: write X_SECRET=…'],
  [{ '\ufeffX_SECRET': 'hidden' }, 'is no name of a setting: write X_SECRET=…'],
  [{ 'X_SECRET ': 'hidden' }, '"X_SECRET " is no name of a setting: write X_SECRET=…'],
])('%o is told in a sentence without its value', (env, sentence) => {
  const told = writtenFault(env, 'X_') ?? ''
  expect(told).toContain(sentence)
  expect(told).not.toContain('hidden')
})

test('what is part of a value by right is taken', () => {
  const given = { X_SECRET: `p"q'#$~ "a" b`, X_LINK: 'https://a.example/#top', X_DATA_DIR: '/srv/$x', X_EMPTY: '""x' }
  expect(writtenFault({ ...given, Y_DIR: '"of others"', 'export Y': 'x' }, 'X_')).toBeUndefined()
})

test('a secret is set by itself or by a file, and not by both', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ergon-secret-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  const [file, empty] = [join(folder, 'key'), join(folder, 'empty')]
  writeFileSync(file, ' from a file\n')
  writeFileSync(empty, '\n')
  const read = (env: Readonly<Record<string, string>>): string | undefined =>
    secretOf(
      (name) => env[name],
      'KEY',
      refuse,
      () => undefined,
    )
  expect([read({}), read({ KEY: '' }), read({ KEY: ' ' }), read({ KEY_FILE: '' })]).toEqual(Array(4).fill(undefined))
  expect([read({ KEY: ' own ' }), read({ KEY_FILE: file }), read({ KEY: '', KEY_FILE: file })]).toEqual([
    'own',
    'from a file',
    'from a file',
  ])
  expect(() => read({ KEY: 'own', KEY_FILE: file })).toThrow('set KEY or KEY_FILE, not both')
  expect(() => read({ KEY_FILE: join(folder, 'none') })).toThrow('KEY_FILE cannot be read: there is no such file')
  expect(() => read({ KEY_FILE: folder })).toThrow('KEY_FILE cannot be read: it is a folder, as a container makes one')
  expect(() => read({ KEY_FILE: empty })).toThrow('KEY_FILE names a file with nothing in it')
})

test('a file of a secret that everybody can read is told of, with what mends it, and read all the same', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ergon-secret-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  const [file, link] = [join(folder, 'key'), join(folder, 'link')]
  writeFileSync(file, 'hidden')
  symlinkSync(file, link)
  const told = (mode: number, folderMode: number, named = file): readonly string[] => {
    chmodSync(file, mode)
    chmodSync(folder, folderMode)
    const warnings: string[] = []
    const read = secretOf(
      (name) => ({ KEY_FILE: named })[name],
      'KEY',
      refuse,
      (sentence) => warnings.push(sentence),
    )
    expect(read).toBe('hidden')
    return warnings
  }
  expect(told(0o644, 0o755)).toEqual([`every user of this machine can read ${file} of KEY_FILE: chmod o-rwx ${file}`])
  expect(told(0o644, 0o755, link)).toHaveLength(1)
  expect([told(0o640, 0o755), told(0o600, 0o755)], 'its mode keeps others out').toEqual([[], []])
  expect(told(0o644, 0o700), 'its folder keeps them out').toEqual([])
})

test('nodes are URLs, one at least', () => {
  expect(httpUrlsOf('http://a, https://b/c\thttp://d:1')).toEqual(['http://a', 'https://b/c', 'http://d:1'])
  expect(['', ' , ', 'nonsense', 'http://a,ftp://b'].map(httpUrlsOf)).toEqual(Array(4).fill(undefined))
})

test('a level that is none is refused with those there are', () => {
  expect(logLevelFault('X_LOG_LEVEL', 'warn')).toBeUndefined()
  expect(logLevelFault('X_LOG_LEVEL', 'loud')).toBe(
    'X_LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent',
  )
})

test('a listener that did not open says where, and by which setting', () => {
  const cause = Object.assign(new Error('x'), { code: 'EADDRINUSE' })
  const at = { host: '127.0.0.1', port: 4_020 }
  expect(cannotListen(at, cause)).toBe('cannot listen on 127.0.0.1 port 4020: EADDRINUSE')
  expect(cannotListen(at, new Error('x'), 'X_METRICS_PORT')).toBe(
    'cannot listen on 127.0.0.1 port 4020 (X_METRICS_PORT): it failed',
  )
})
