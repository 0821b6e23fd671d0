import ts from 'typescript'

/** What was changed. `return` is a returned value that became empty, `call` a statement that is gone. */
export type MutantKind =
  | 'array'
  | 'boundary'
  | 'call'
  | 'chain'
  | 'comparison'
  | 'condition'
  | 'logic'
  | 'method'
  | 'negation'
  | 'nullish'
  | 'return'
  | 'string'
  | 'sum'

/** One small change of a file: the characters from `start` to `end` are read as `now`. */
export type Edit = {
  readonly kind: MutantKind
  readonly start: number
  readonly end: number
  readonly now: string
  readonly isStatement: boolean
}

export type Mutant = Edit & {
  /** Counts from 1 within a run; 0 means that nothing is changed. */
  readonly id: number
  /** From the root of the repository. */
  readonly file: string
  readonly line: number
  readonly was: string
}

const comparisons: Readonly<Record<string, readonly [MutantKind, string][]>> = {
  '===': [['comparison', '!==']],
  '!==': [['comparison', '===']],
  '<': [
    ['boundary', '<='],
    ['comparison', '>='],
  ],
  '<=': [
    ['boundary', '<'],
    ['comparison', '>'],
  ],
  '>': [
    ['boundary', '>='],
    ['comparison', '<='],
  ],
  '>=': [
    ['boundary', '>'],
    ['comparison', '<'],
  ],
  '&&': [['logic', '||']],
  '||': [['logic', '&&']],
  '+': [['sum', '-']],
  '-': [['sum', '+']],
  '*': [['sum', '/']],
  '/': [['sum', '*']],
  '%': [['sum', '*']],
  '+=': [['sum', '-=']],
  '-=': [['sum', '+=']],
}

const methods: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  startsWith: 'endsWith',
}

/**
 * Every mutant of one file, in the order of its text. The checker says which returned values may be empty in which way.
 * Whether the result compiles is asked later.
 */
export function mutantsOf(source: ts.SourceFile, checker: ts.TypeChecker): readonly Edit[] {
  const edits: Edit[] = []
  const visit = (node: ts.Node): void => {
    if (isNoCode(node)) return
    for (const edit of editsAt(node, source, checker)) edits.push(edit)
    ts.forEachChild(node, visit)
  }
  visit(source)
  const byText = (a: Edit, b: Edit): number => a.kind.localeCompare(b.kind) || a.now.localeCompare(b.now)
  return edits.toSorted((a, b) => a.start - b.start || b.end - a.end || byText(a, b))
}

function isNoCode(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true
  return ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
}

function editsAt(node: ts.Node, source: ts.SourceFile, checker: ts.TypeChecker): readonly Edit[] {
  const change = (kind: MutantKind, now: string, of: ts.Node = node): Edit => hoisted(kind, of, now, source)
  const text = (part: ts.Node): string => part.getText(source)
  if (ts.isBinaryExpression(node)) return ofBinary(node, change, text)
  if (ts.isPrefixUnaryExpression(node)) return isNot(node) ? [change('negation', text(node.operand))] : []
  if (ts.isConditionalExpression(node)) return forced(node.condition, change)
  if (ts.isIfStatement(node)) return forced(node.expression, change)
  if (ts.isWhileStatement(node) || ts.isDoStatement(node)) return [change('condition', 'false', node.expression)]
  if (ts.isExpressionStatement(node)) {
    return [{ kind: 'call', start: node.getStart(source), end: node.end, now: ';', isStatement: true }]
  }
  if (ts.isReturnStatement(node) && node.expression !== undefined)
    return emptied(node.expression, change, text, checker)
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return emptied(node.body, change, text, checker)
  if (ts.isArrayLiteralExpression(node)) return node.elements.length > 0 ? [change('array', '[]')] : []
  if (ts.isStringLiteralLike(node)) return mayBeEmpty(node, checker) ? [change('string', "''")] : []
  if (ts.isTemplateExpression(node)) return [change('string', "''")]
  return ofChain(node, change, text)
}

const isNot = ({ operator }: ts.PrefixUnaryExpression): boolean => operator === ts.SyntaxKind.ExclamationToken

type Change = (kind: MutantKind, now: string, of?: ts.Node) => Edit
type TextOf = (part: ts.Node) => string

function ofBinary(node: ts.BinaryExpression, change: Change, text: TextOf): readonly Edit[] {
  const { left, right, operatorToken } = node
  const operator = text(operatorToken)
  if (operator === '??') return [change('nullish', text(left)), change('nullish', text(right))]
  return (comparisons[operator] ?? []).map(([kind, other]) => change(kind, `${text(left)} ${other} ${text(right)}`))
}

/** A call by another method, and an optional step taken without asking. */
function ofChain(node: ts.Node, change: Change, text: TextOf): readonly Edit[] {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const {
      expression: { expression, name },
    } = node
    const other = Object.hasOwn(methods, name.text) ? methods[name.text] : undefined
    const given = node.arguments.map(text).join(', ')
    if (other !== undefined) return [change('method', `${text(expression)}.${other}(${given})`)]
  }
  if (ts.isPropertyAccessExpression(node) && node.questionDotToken !== undefined) {
    return [change('chain', `${text(node.expression)}.${text(node.name)}`)]
  }
  return []
}

function forced(condition: ts.Expression, change: Change): readonly Edit[] {
  return [change('condition', 'false', condition), change('condition', 'true', condition)]
}

/** What the type of a returned value allows it to be instead. */
function emptied(value: ts.Expression, change: Change, text: TextOf, checker: ts.TypeChecker): readonly Edit[] {
  const type = checker.getTypeAtLocation(value)
  const parts = type.isUnion() ? type.types : [type]
  const flags = parts.reduce((all, part) => all | part.flags, 0)
  const instead = [
    ...(flags & ts.TypeFlags.BooleanLike ? ['true', 'false'] : []),
    ...(flags & ts.TypeFlags.Null ? ['null'] : []),
    ...(flags & ts.TypeFlags.Undefined ? ['undefined'] : []),
    ...(parts.some((part) => checker.isArrayType(part)) ? ['[]'] : []),
  ]
  return instead.filter((now) => now !== text(value)).map((now) => change('return', now, value))
}

function mayBeEmpty(node: ts.StringLiteralLike, checker: ts.TypeChecker): boolean {
  return node.text !== '' && isValue(node) && mayBeAnyText(node, checker)
}

/** A literal that is a value of the program, not a name in it. */
function isValue(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isPropertyAssignment(parent)) return parent.name !== node
  return !ts.isCaseClause(parent) && !ts.isElementAccessExpression(parent) && !ts.isTaggedTemplateExpression(parent)
}

/** Where one of a few words is expected, the compiler refuses the empty one: there is no need to ask it. */
function mayBeAnyText(node: ts.Expression, checker: ts.TypeChecker): boolean {
  const { parent } = node
  const other = ts.isBinaryExpression(parent)
    ? checker.getTypeAtLocation(parent.left === node ? parent.right : parent.left)
    : checker.getContextualType(node)
  if (other === undefined) return true
  const parts = other.isUnion() ? other.types : [other]
  return !parts.some((part) => part.isStringLiteral()) || parts.some((part) => (part.flags & ts.TypeFlags.String) !== 0)
}

/** A step inside an optional chain cannot be wrapped alone: the change is that of the whole chain. */
function hoisted(kind: MutantKind, node: ts.Node, now: string, source: ts.SourceFile): Edit {
  let root = node
  while (isChainStep(root)) root = root.parent
  const start = root.getStart(source)
  const before = source.text.slice(start, node.getStart(source))
  const after = source.text.slice(node.end, root.end)
  // A chain goes on from what was changed; anything else is one value in it.
  const changed = kind === 'chain' || root === node ? now : `(${now})`
  return { kind, start, end: root.end, now: before + changed + after, isStatement: false }
}

function isChainStep(node: ts.Node): boolean {
  const { parent } = node
  const isStep =
    ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent) || ts.isCallExpression(parent)
  return isStep && parent.expression === node && (parent.flags & ts.NodeFlags.OptionalChain) !== 0
}
