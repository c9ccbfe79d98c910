/** Certificates for tests, and TLS in front of a server on this machine. */
import { connect } from 'node:net'
import { pipeline } from 'node:stream'
import { createServer } from 'node:tls'
import { generate } from 'selfsigned'
import { listen } from './wire.ts'

export interface Certificate {
  key: string
  cert: string
}

/** A host name that DNS does not resolve (RFC 6761), so it is reachable only through the embedded proxy. */
export const remoteName = 'platform.example'

/** Makes a self-signed certificate for this machine and `remoteName`. */
export async function makeCertificate(): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    // An RSA key takes longer to generate.
    keyType: 'ec',
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 2, value: remoteName },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  })
  return { key, cert }
}

/** Serves TLS on a free port of 127.0.0.1, and forwards to another port. */
export async function startTls(port: number, certificate: Certificate) {
  const server = createServer(certificate, (socket) => {
    pipeline(socket, connect(port, '127.0.0.1'), socket, () => {})
  })
  return { port: await listen(server), close: () => void server.close() }
}
