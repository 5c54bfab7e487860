import { isToolError } from '@surehand/core'
import { errorRow, type PackRequest, type PackRoute } from '@surehand/core/host'
import { z } from 'zod'
import { authenticateVisitor, type Visitor } from './visitor.ts'

/** A request of an authenticated visitor, with its body parsed. */
export type VisitorRequest<B> = PackRequest & { readonly visitor: Visitor; readonly body: B }

type VisitorRouteForm<S extends z.ZodType> = {
  readonly method: PackRoute['method']
  readonly path: string
  readonly body?: S
  readonly maxBytes?: number
  readonly handle: (request: VisitorRequest<z.output<S>>) => Promise<Response>
}

/** A route for visitors: the token is checked, the body parsed, and errors become problems. */
export function visitorRoute<S extends z.ZodType = z.ZodUndefined>(
  form: VisitorRouteForm<S>,
): PackRoute {
  const { method, path, maxBytes = 100_000 } = form
  return {
    method,
    path,
    auth: 'none',
    maxBytes,
    handle: (request) =>
      withProblems(async () => {
        const visitor = await authenticateVisitor(request.services, request.request)
        if (visitor === undefined)
          return problem(401, {
            code: 'TOOL_INSUFFICIENT_PERMISSIONS',
            message: 'The session has ended. Open a new one with POST /site/sessions.',
          })
        const body = await readBody(request.request, form.body)
        return form.handle({ ...request, visitor, body: body as z.output<S> })
      }),
  }
}

/** Parses a JSON body; undefined where the route takes none. */
export async function readBody<S extends z.ZodType>(
  request: Request,
  schema: S | undefined,
): Promise<z.output<S> | undefined> {
  return schema === undefined ? undefined : schema.parse(parseJson(await request.text()))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Problem = { readonly code: string; readonly message: string; readonly details?: unknown }

export function problem(status: number, error: Problem): Response {
  return Response.json({ error }, { status, headers: { 'cache-control': 'no-store' } })
}

/** Turns expected errors into answers; what is unexpected is left to the server. */
export async function withProblems(handle: () => Promise<Response>): Promise<Response> {
  try {
    return await handle()
  } catch (thrown) {
    if (thrown instanceof z.ZodError)
      return problem(400, {
        code: 'TOOL_INVALID_INPUT',
        message: 'The request is not valid.',
        details: thrown.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
      })
    if (!isToolError(thrown)) throw thrown
    const { code, message, details } = thrown
    return problem(errorRow(code).http, { code, message, ...(details && { details }) })
  }
}

export function json(data: unknown, status = 200): Response {
  return Response.json(data, { status, headers: { 'cache-control': 'no-store' } })
}
