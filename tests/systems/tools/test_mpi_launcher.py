"""An MPI program under the launcher of another MPI is refused, before it writes anything."""

import os
import shutil
import subprocess

import pytest
from command import ROOT, without_openmp_settings
from heddle import mpi_launcher
from heddle.errors import UserError
from heddle.patience import scaled

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
int main(int count, char** words) {
  int size;
  MPI_Init(&count, &words);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel
#pragma omp single
  fclose(fopen("was-here", "w"));
  printf("of %d\\n", size);
  MPI_Finalize();
  return 0;
}
"""
MPICH_LIBRARIES = ["libmpich.so.12", "libc.so.6"]
OPEN_MPI_LIBRARIES = ["libmpi.so.40", "libopen-rte.so.40", "libc.so.6"]
HYDRA = {"PMI_RANK": "0", "PMI_SIZE": "4", "PMI_FD": "5", "MPI_LOCALNRANKS": "4"}
MPIRUN = {"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "4", "PMIX_RANK": "1"}
SRUN = {"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "4"}


@pytest.fixture(scope="module", params=["mpich", "openmpi"])
def built(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "program.c").write_text(PROGRAM)
    command = [f"mpicc.{request.param}", "-fopenmp", "program.c", "-o", "program"]
    subprocess.run(command, cwd=folder, check=True, timeout=scaled(60))
    return request.param, folder / "program"


def started(mpi, folder, *words):
    """Two times ./heddle, by the launcher of that MPI."""
    options = ["--oversubscribe", *(["--allow-run-as-root"] if os.geteuid() == 0 else [])] if mpi == "openmpi" else []
    command = [f"mpiexec.{mpi}", *options, "-n", "2", ROOT / "heddle", *words]
    return subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={**without_openmp_settings(), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=scaled(120),
    )


@pytest.mark.parametrize("launcher", ["mpich", "openmpi"])
def test_only_the_own_launcher_starts_a_program(built, launcher, tmp_path):
    mpi, program = built
    done = started(launcher, tmp_path, "run", "--", program)
    if launcher == mpi:
        assert (done.returncode, done.stdout) == (0, "of 2\n" * 2), done.stderr
        return
    assert done.returncode != 0
    assert "has started it 2 times: each would be alone; start it with" in done.stderr
    assert "of 1" not in done.stdout
    assert os.listdir(tmp_path) == []


def test_a_profile_is_refused_as_well(built, tmp_path):
    mpi, program = built
    done = started("openmpi" if mpi == "mpich" else "mpich", tmp_path, "profile", "--", program)
    assert done.returncode != 0
    assert "each would be alone" in done.stderr
    assert os.listdir(tmp_path) == []


def test_many_traces_in_one_folder_are_refused(tmp_path):
    shutil.copy("/bin/true", tmp_path / "program")
    done = started("mpich", tmp_path, "trace", "--", "./program")
    assert done.returncode != 0
    assert "write 'heddle trace -- mpiexec -n 2 ./program'" in done.stderr
    assert os.listdir(tmp_path) == ["program"]


def test_programs_without_mpi_start_under_any_launcher(tmp_path):
    for launcher in ("mpich", "openmpi"):
        done = started(launcher, tmp_path, "run", "--", "/bin/echo", "here")
        assert (done.returncode, done.stdout) == (0, "here\n" * 2), done.stderr


@pytest.mark.parametrize(
    ("libraries", "environ", "said"),
    [
        (MPICH_LIBRARIES, MPIRUN, "program uses MPICH, and the mpiexec of Open MPI has started it 4 times"),
        (OPEN_MPI_LIBRARIES, HYDRA, "program uses Open MPI, and the mpiexec of MPICH has started it 4 times"),
        (MPICH_LIBRARIES, SRUN, "srun has started it 4 times without the process manager"),
        (OPEN_MPI_LIBRARIES, SRUN, "give srun --mpi=pmi2 or --mpi=pmix"),
        (["libmpi_cray.so.12"], MPIRUN, "program uses MPICH"),
        # Right, or not to be known.
        (MPICH_LIBRARIES, HYDRA, ""),
        (OPEN_MPI_LIBRARIES, MPIRUN, ""),
        (["libc.so.6", "libmpifit.so.1"], MPIRUN, ""),
        (MPICH_LIBRARIES, {}, ""),
        (MPICH_LIBRARIES, MPIRUN | {"OMPI_COMM_WORLD_SIZE": "1"}, ""),
        (MPICH_LIBRARIES, MPIRUN | {"OMPI_COMM_WORLD_SIZE": "many"}, ""),
        ([*MPICH_LIBRARIES, "libpmix.so.2"], MPIRUN, ""),
        (MPICH_LIBRARIES, MPIRUN | HYDRA, ""),
        (MPICH_LIBRARIES, SRUN | {"PMI_RANK": "0", "PMI_SIZE": "4", "PMI_FD": "5"}, ""),
        (OPEN_MPI_LIBRARIES, SRUN | {"PMIX_RANK": "0"}, ""),
        (OPEN_MPI_LIBRARIES, SRUN | {"PMI_RANK": "0", "PMI_SIZE": "4", "PMI_FD": "5"}, ""),
        ([*MPICH_LIBRARIES, "libpmi.so.0"], SRUN, ""),
        (["libmpi.so.12"], SRUN | {"I_MPI_PMI_LIBRARY": "/usr/lib/libpmi.so"}, ""),
        (OPEN_MPI_LIBRARIES, SRUN | MPIRUN, ""),
        (MPICH_LIBRARIES, SRUN | HYDRA, ""),
    ],
)
def test_a_launcher_is_known_by_its_variables(libraries, environ, said):
    if not said:
        mpi_launcher.refuse_another("program", libraries, environ)
        return
    with pytest.raises(UserError) as mistake:
        mpi_launcher.refuse_another("program", libraries, environ)
    assert said in str(mistake.value)
