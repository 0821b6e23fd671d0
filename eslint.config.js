import { defineConfig, globalIgnores } from 'eslint/config'
import hooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'
import readNouns from './packages/core/nouns.cjs'

const tests = ['**/*.test.ts', '**/test/**', '**/testing/**']
const nouns = readNouns.nouns.join(',')

const enumeration = { selector: 'TSEnumDeclaration', message: 'A union of literals, not an enum (STYLE: Shape).' }
const decorator = { selector: 'Decorator', message: 'Type stripping knows no decorators (STYLE: Shape).' }
const defaultExport = {
  selector: 'ExportDefaultDeclaration, ExportSpecifier[exported.name="default"]',
  message: 'Named exports only (STYLE: Shape).',
}
const wallClock = {
  selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
  message: 'The core has no clock of its own: read the clock port.',
}
const waiting = { selector: 'AwaitExpression', message: 'Nouns are pure: what waits belongs to flows/.' }

// On a busy machine all takes longer: `vitest.config.ts` says how long a test may take, and a test only where it is more.
const hurry = [
  'CallExpression[callee.name=/^(test|it|(before|after)(All|Each))$/] > Literal.arguments[value<=120000]',
  'CallExpression[callee.callee.object.name=/^(test|it)$/] > Literal.arguments[value<=120000]',
  'CallExpression[callee.name=/^(test|it|describe)$/] > ObjectExpression > Property[key.name="timeout"][value.value<=120000]',
].map((selector) => ({
  selector,
  message: 'A test waits until it is so, for at least the 120 s of all (STYLE: Tests).',
}))

export default defineConfig(
  globalIgnores(['**/node_modules/**', '**/dist/**', '.cache/**', '.ergon/**', 'packages/contracts/artifacts/**']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    // One program for all but the web app, which has types of its own (decision 0332).
    languageOptions: { parserOptions: { project: ['tsconfig.lint.json'], tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      // `createX` answers closures: there is no `this` to lose.
      '@typescript-eslint/unbound-method': 'off',
      // An async method that has nothing to wait for is how a synchronous adapter fits a port.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      'no-restricted-syntax': ['error', enumeration, decorator, defaultExport],
      'max-lines': ['error', { max: 400 }],
      // What the formatter cannot break: one string, one address, one pattern.
      'max-len': ['error', { code: 120, ignoreStrings: true, ignoreUrls: true, ignoreRegExpLiterals: true }],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true, IIFEs: true }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['packages/core/src/**/*.ts'],
    ignores: tests,
    rules: {
      'no-restricted-globals': [
        'error',
        ...['process', 'fetch', 'setTimeout', 'setInterval', 'setImmediate', 'performance', 'crypto', 'Buffer'],
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Read the clock port.' },
        { object: 'Math', property: 'random', message: 'Read the ids port.' },
      ],
      'no-restricted-syntax': ['error', enumeration, decorator, defaultExport, wallClock],
    },
  },
  {
    files: [`packages/core/src/{${nouns}}/**/*.ts`],
    ignores: tests,
    rules: { 'no-restricted-syntax': ['error', enumeration, decorator, defaultExport, wallClock, waiting] },
  },
  {
    files: tests,
    rules: {
      'max-lines-per-function': 'off',
      'no-restricted-syntax': ['error', enumeration, decorator, defaultExport, ...hurry],
      // A test may look into an answer without first proving its shape: the expectation is the proof.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
    },
  },
  {
    files: ['apps/web/src/**/*.ts', 'apps/web/src/**/*.tsx'],
    ignores: [...tests, 'apps/web/src/lib/kept.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['localStorage', 'sessionStorage'].map((name) => ({
          name,
          message: 'It may be full or forbidden: `lib/kept.ts` knows.',
        })),
      ],
    },
  },
  {
    files: ['apps/web/**/*.tsx', 'apps/web/**/*.ts'],
    extends: [hooks.configs.flat.recommended],
    languageOptions: { parserOptions: { project: ['apps/web/tsconfig.json'] } },
  },
  // Data, not code: an ABI, a network row, an operation or a table of vectors is as long as what it describes.
  {
    files: [
      'packages/contract/src/errors.ts',
      '**/*.data.ts',
      '**/abi/**',
      '**/abis/**',
      '**/vectors/**',
      '**/generated/**',
      '**/contract/src/operations/**',
      '**/contract/src/wire/wire-table.ts',
    ],
    rules: { 'max-lines': 'off' },
  },
  { files: ['**/*.config.ts'], rules: { 'no-restricted-syntax': ['error', enumeration, decorator] } },
)
