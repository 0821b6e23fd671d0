import process from 'node:process'
import { keepPlatform } from './machine/close-platform.ts'
import { idealCurveReplacement, replaceSources } from './machine/replace-sources.ts'
import { readArguments } from './run/arguments.ts'

const wish = readArguments(process.argv.slice(2))
const kept = keepPlatform()
// What is loaded from here on is the product; it is loaded as it stands, but for these pieces.
replaceSources(wish.realSignatures ? [] : [idealCurveReplacement])
const { simulate } = await import('./run/simulate.ts')
process.exitCode = await simulate(wish, kept)
