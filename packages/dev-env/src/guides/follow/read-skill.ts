/** A step as it is printed: a request with placeholders, and what to do around it. */
export type PrintedStep = {
  readonly name: string
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | undefined
  readonly isSigned: boolean
  readonly answers: readonly string[]
  readonly onlyIf: Among | undefined
  readonly until: Among | undefined
  readonly unless: Among | undefined
  readonly checks: readonly (readonly [pointer: string, value: string])[]
  readonly keeps: readonly (readonly [name: string, pointer: string])[]
  readonly signs: readonly (readonly [name: string, pointer: string])[]
  readonly builds: readonly PrintedBuild[]
  /** The example of the answer; undefined where none is printed. */
  readonly example: unknown
}
export type Among = { readonly at: string; readonly oneOf: readonly string[] }
export type PrintedBuild = {
  readonly name: string
  readonly from: string
  readonly places: readonly (readonly [pointer: string, value: string])[]
  readonly asText: boolean
}
/** How a request is signed, as the file prints it. */
export type PrintedRecipe = { readonly base: string; readonly params: string; readonly headers: string }

/** A file whose notation is followed; nothing else is known of what it is about. */
export type Skill = {
  step(name: string): PrintedStep
  /** The steps of one side of a route. */
  route(name: string, side: string): readonly string[]
  readonly routes: readonly string[]
  readonly recipe: PrintedRecipe
  /** A printed block by its language. */
  block(language: string): string
}

/** Reads a file in the notation of decision 0153. */
export function readSkill(text: string): Skill {
  const block = (language: string): string => {
    const found = new RegExp(`^\`\`\`${language}\\n(.*?)\\n\`\`\`$`, 'ms').exec(text)
    if (found?.[1] === undefined) throw new Error(`no block ${language}`)
    return found[1]
  }
  const steps = new Map(
    text.split(/^(?=##{1,2} )/m).flatMap((section) => {
      const step = readStep(section)
      return step === undefined ? [] : [[step.name, step] as const]
    }),
  )
  const routes = readRoutes(text)
  return {
    block,
    recipe: {
      base: block('signature-base'),
      params: block('signature-params'),
      headers: block('signature-headers'),
    },
    routes: [...routes.keys()],
    route: (name, side) => routes.get(name)?.get(side) ?? [],
    step(name) {
      const step = steps.get(name)
      if (step === undefined) throw new Error(`no step ${name}`)
      return step
    },
  }
}

const words = (list: string): readonly string[] => [...list.matchAll(/`([^`]*)`/g)].map(([, word = '']) => word)

function readRoutes(text: string): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  return new Map(
    [...text.matchAll(/^- Route `(.*?)`:.*\n((?: {2}- .*\n)+)/gm)].map(([, name = '', sides = '']) => [
      name,
      new Map([...sides.matchAll(/^ {2}- (\w+): (.*)$/gm)].map(([, side = '', list = '']) => [side, words(list)])),
    ]),
  )
}

function readStep(section: string): PrintedStep | undefined {
  const found = /^### (\S+)\n.*?^```http\n(.*?)\n```\n\n((?:- [^\n]*\n)+)/ms.exec(section)
  if (found === null) return undefined
  const [, name = '', request = '', conduct = ''] = found
  const [head = '', ...rest] = request.split('\n\n')
  const [first = '', ...headerLines] = head.split('\n')
  const [method = '', url = ''] = first.split(' ')
  const lines = conduct.trimEnd().split('\n').map(readLine)
  const only = <K extends Line['is']>(kind: K): readonly Extract<Line, { is: K }>[] =>
    lines.filter((line): line is Extract<Line, { is: K }> => line.is === kind)
  return {
    name,
    method,
    url,
    headers: headerLines.map((line) => {
      const [, header = '', value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? []
      return [header, value]
    }),
    body: rest.length === 0 ? undefined : rest.join('\n\n'),
    isSigned: only('signed').length === 1,
    answers: only('answer').flatMap(({ oneOf }) => oneOf),
    onlyIf: only('only if')[0],
    until: only('repeat')[0],
    unless: only('give up')[0],
    checks: only('check').map(({ at, value }) => [at, value]),
    keeps: only('keep').map(({ name: kept, at }) => [kept, at]),
    signs: only('sign').map(({ name: signed, at }) => [signed, at]),
    builds: only('build').map(({ build }) => build),
    example: exampleIn(section),
  }
}

function exampleIn(section: string): unknown {
  const text = /^```json\n(.*?)\n```$/ms.exec(section)?.[1]
  return text === undefined ? undefined : JSON.parse(text)
}

type Line =
  | { readonly is: 'signed' | 'unsigned' }
  | { readonly is: 'answer'; readonly oneOf: readonly string[] }
  | { readonly is: 'only if' | 'repeat' | 'give up'; readonly at: string; readonly oneOf: readonly string[] }
  | { readonly is: 'check'; readonly at: string; readonly value: string }
  | { readonly is: 'keep' | 'sign'; readonly name: string; readonly at: string }
  | { readonly is: 'build'; readonly build: PrintedBuild }

/** One line of the notation; a line that it does not have is a fault of the file. */
function readLine(line: string): Line {
  const [first = '', second = '', ...more] = words(line)
  if (/^- Signed\.$/.test(line)) return { is: 'signed' }
  if (/^- Unsigned\.$/.test(line)) return { is: 'unsigned' }
  if (/^- Answer `/.test(line)) return { is: 'answer', oneOf: words(line) }
  if (/^- Only if `\{\w+\}` is `/.test(line)) return { is: 'only if', at: first.slice(1, -1), oneOf: [second, ...more] }
  if (/^- Repeat until `.*` is there\.$/.test(line)) return { is: 'repeat', at: first, oneOf: [] }
  if (/^- Repeat until `.*` is `/.test(line)) return { is: 'repeat', at: first, oneOf: [second, ...more] }
  if (/^- Give up if `.*` is `/.test(line)) return { is: 'give up', at: first, oneOf: [second, ...more] }
  if (/^- Check `.*` is `.*`\.$/.test(line)) return { is: 'check', at: first, value: second }
  if (/^- Keep `.*` from `.*`\.$/.test(line)) return { is: 'keep', name: first, at: second }
  if (/^- Sign `.*` over `.*`\.$/.test(line)) return { is: 'sign', name: first, at: second }
  if (/^- Build `.*` from `.*` with `.*` set to `/.test(line))
    return {
      is: 'build',
      build: { name: first, from: second, places: pairs(more), asText: line.endsWith(', as text.') },
    }
  throw new Error(`not a line of the notation: ${line}`)
}

const pairs = (list: readonly string[]): readonly (readonly [string, string])[] =>
  list.flatMap((word, index) => (index % 2 === 0 ? [[word, list[index + 1] ?? ''] as const] : []))
