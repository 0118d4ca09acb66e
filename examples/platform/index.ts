// The trust configuration of a platform. Each file answers one question.
import * as cloud from "./cloud-credentials";
import * as logins from "./logins";
import "./cluster-peering";
import "./policy-parameters";

/** Where the jobs of our Git host log in. */
export const jobLogin = logins.jobs.path;
/** Where a job that has logged in asks for cloud credentials. */
export const cloudCredentials = cloud.engine.path;
/** The access key that only the secrets server knows the secret of. */
export const cloudRootKey = cloud.rotation.accessKey;
