import { type Execution, ToolError } from '@surehand/core'
import type { ToolImplementation } from './tool-definition.ts'

/** What stands behind a definition: it is given the validated input and what `execute` is given. */
export type Implementation = (
  input: unknown,
  execution: Execution<unknown, never>,
) => Promise<unknown>

/** Finds the implementation that a document names. */
export type Implementations = (named: ToolImplementation) => Implementation

export type ImplementationParts = {
  /** By `module.function`. */
  readonly functions?: Readonly<Record<string, Implementation>>
  /** Objects by `module.ClassName`; the document names the method. */
  readonly classes?: Readonly<Record<string, object>>
  /** Runs a script as a process of its own. */
  readonly script?: (named: ToolImplementation) => Implementation
  readonly externalApi?: (named: ToolImplementation) => Implementation
}

/**
 * Binds documents to code. Nothing is looked up on an object's prototype chain but methods of its
 * class.
 */
export function implementations(parts: ImplementationParts): Implementations {
  return (named) => {
    switch (named.type) {
      case 'function_call':
        return functionOf(parts, named)
      case 'class_method':
        return methodOf(parts, named)
      case 'script_execution':
        return (parts.script ?? unbound(named, 'script'))(named)
      case 'external_api':
        return (parts.externalApi ?? unbound(named, 'externalApi'))(named)
    }
  }
}

function functionOf(parts: ImplementationParts, named: ToolImplementation): Implementation {
  const name = `${named.module}.${named.function}`
  if (parts.functions !== undefined && Object.hasOwn(parts.functions, name))
    return parts.functions[name] as Implementation
  return unbound(named, `functions["${name}"]`)
}

function methodOf(parts: ImplementationParts, named: ToolImplementation): Implementation {
  const name = `${named.module}.${named.class_name ?? ''}`
  const instance =
    parts.classes !== undefined && Object.hasOwn(parts.classes, name)
      ? parts.classes[name]
      : undefined
  const method: unknown =
    instance === undefined || named.function in Object.prototype
      ? undefined
      : Reflect.get(instance, named.function)
  if (typeof method !== 'function') return unbound(named, `classes["${name}"].${named.function}`)
  return (input, execution) => method.call(instance, input, execution)
}

function unbound(named: ToolImplementation, where: string): never {
  throw new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `Nothing is bound to ${named.type} ${named.module}.${named.function}.`,
    {
      details: { implementation: named },
      suggestions: [`Hand it in: implementations({ ${where}: … }).`],
    },
  )
}
