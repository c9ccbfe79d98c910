/** GitHub's errors. */
import { STATUS_CODES } from 'node:http'
import { type Mismatch, Rejection } from '../contract.ts'
import type { Reply } from '../wire.ts'

/** GitHub's usual messages (GitHub's docs, "Troubleshooting the REST API"). */
const messages: Record<number, string> = {
  401: 'Bad credentials',
  403: 'Resource not accessible by integration',
  404: 'Not Found',
}

/** An error in GitHub's shape (openapi.json, "basic-error"). */
export function problem(status: number, message = messages[status] ?? STATUS_CODES[status]): Reply {
  return { status, body: { message } }
}

/** Ends a request with an error. */
export function reject(status: number, message?: string): never {
  throw new Rejection(problem(status, message))
}

/** The value. If there is none, ends the request with a 404. */
export function found<T>(value: T | undefined, message?: string): T {
  return value ?? reject(404, message)
}

/** A 422 in GitHub's shape (openapi.json, "validation-error"). */
export function invalid(...errors: { field: string; code: string; message: string }[]): Reply {
  return { status: 422, body: { message: 'Validation Failed', errors } }
}

/** Like GitHub: 422 for a request that the description does not allow. */
export function invalidRequest(mismatches: readonly Mismatch[]): Reply {
  return invalid(
    ...mismatches.map(({ instancePath, params: { missingProperty }, message = '' }) => {
      const field = missingProperty ?? instancePath.split('/').at(-1) ?? ''
      return { field, code: missingProperty ? 'missing_field' : 'invalid', message }
    }),
  )
}
